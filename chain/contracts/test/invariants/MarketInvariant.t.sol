// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SpendPolicy} from "../../SpendPolicy.sol";
import {MarketHandler} from "./MarketHandler.sol";

contract MarketInvariantTest {
    MarketHandler private handler;

    function setUp() public {
        handler = new MarketHandler();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_money_is_conserved_in_every_token() public view {
        require(handler.moneyIsWhere(), "money is not where the notes say");
    }

    function invariant_no_cap_of_any_agent_in_any_token_is_exceeded_in_any_window() public view {
        require(handler.capsHold(), "a cap was broken");
    }

    function invariant_a_thing_moves_with_its_money_alone() public view {
        require(handler.thingsAreWhere(), "a thing is not where the deals left it");
    }

    function invariant_ids_are_their_pairs_alone_and_void_certificates_and_other_chains_settle_nothing() public view {
        require(bytes(handler.broken()).length == 0, handler.broken());
    }

    /// @dev Campaigns in which nothing happens would prove nothing: at random, all of this does happen.
    function test_a_random_market_deals_in_every_token_through_nested_agents_and_under_shared_ids() public {
        uint256 dice = 11;
        for (uint256 i; i < 1_200; ++i) {
            dice = uint256(keccak256(abi.encode(dice)));
            (uint8 a, uint8 b, uint8 c, uint64 n) =
                (uint8(dice), uint8(dice >> 8), uint8(dice >> 16), uint64(dice >> 24));
            uint256 what = (dice >> 96) % 12;
            if (what == 0) handler.wait(uint32(n));
            else if (what == 1) handler.pay(a, b, n);
            else if (what == 2) handler.deposit(a, b, n);
            else if (what == 3) handler.squat(a);
            else if (what == 4) handler.sendAgain(a, b % 2 == 0);
            else if (what == 5) handler.alter(a, b);
            else if (what == 6) handler.voidCertificate(a);
            else if (what == 7) handler.openElsewhere(a);
            else handler.trade(a, b, c, uint8(dice >> 104), n);
            if ((dice >> 128) % 8 == 0) handler.takeFees(uint8(dice >> 136), uint8(dice >> 144));
            if ((dice >> 152) % 8 == 0) handler.turnVault(uint8(dice >> 160));
        }
        for (uint256 t; t < 3; ++t) require(handler.settled(t) >= 5, "too quiet in one token");
        require(handler.settled(3) == 0, "nothing settles in a token that moves nothing");
        for (uint256 t; t < 3; ++t) require(handler.feesTaken(t) >= 3, "fees of one token were hardly taken out");
        require(handler.vaultsChanged() >= 5 && handler.vaultsRefused() >= 10, "the vault hardly changed");
        require(handler.settledByNested() >= 3, "too quiet three agents deep");
        require(handler.settledUnderAnothersId() >= 10, "ids were hardly shared");
        require(handler.voidRefused() >= 10, "void certificates were hardly tried");
        require(handler.replaysRefused() >= 20, "what settled was hardly sent again");
        require(handler.refusedElsewhere() >= 20, "the other chain was hardly tried");
        require(handler.twinsSettledOnce() >= 3, "twins were hardly sent");
        bytes4[5] memory limits = [
            SpendPolicy.PerDealCapExceeded.selector,
            SpendPolicy.DayCapExceeded.selector,
            SpendPolicy.WeekCapExceeded.selector,
            SpendPolicy.MonthCapExceeded.selector,
            SpendPolicy.TotalCapExceeded.selector
        ];
        string[5] memory caps = ["a deal", "a day", "a week", "a month", "in total"];
        for (uint256 i; i < 5; ++i) {
            require(handler.refusals(limits[i]) >= 3, string.concat("hardly met: the cap ", caps[i]));
        }
        invariant_money_is_conserved_in_every_token();
        invariant_no_cap_of_any_agent_in_any_token_is_exceeded_in_any_window();
        invariant_a_thing_moves_with_its_money_alone();
        invariant_ids_are_their_pairs_alone_and_void_certificates_and_other_chains_settle_nothing();
    }
}
