// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AssetListings} from "../../AssetListings.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {SignedHandler} from "./SignedHandler.sol";

contract InvariantTest {
    SignedHandler private handler;

    function setUp() public {
        handler = new SignedHandler();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_no_window_holds_more_than_its_cap() public view {
        require(handler.capsHold(), "a cap was broken");
    }

    function invariant_dead_keys_and_strangers_move_nothing_and_deals_are_whole() public view {
        require(bytes(handler.broken()).length == 0, handler.broken());
    }

    function invariant_money_is_conserved_and_what_was_booked_was_spent() public view {
        require(handler.booksBalance(), "the books do not balance");
    }

    function invariant_assets_leave_by_deals_over_what_is_listed_alone() public view {
        require(handler.assetsStay(), "an asset is not where the deals left it, or not listed as its owner left it");
    }

    function invariant_no_standing_allowance() public view {
        require(handler.noAllowance(), "an allowance stands");
    }

    function invariant_no_agent_owns_itself() public view {
        require(handler.noRing(), "a ring of owners");
    }

    /// @dev Campaigns in which nothing happens would prove nothing: at random, all of this does happen, by both doors.
    function test_random_lives_spend_deal_and_collect_and_meet_every_limit() public {
        uint256 dice = 7;
        for (uint256 i; i < 3_000; ++i) {
            dice = uint256(keccak256(abi.encode(dice)));
            (uint8 a, uint8 b, uint8 c, uint64 n) =
                (uint8(dice), uint8(dice >> 8), uint8(dice >> 16), uint64(dice >> 24));
            uint256 what = (dice >> 96) % 16;
            if (what == 0) handler.wait(uint32(n));
            else if (what == 1) handler.spendSome(a, b, n);
            else if (what == 2) handler.spendAllThatIsLeft(a, b);
            else if (what == 3) handler.trade(a, b, c, n, uint8(dice >> 104));
            else if (what == 4) handler.authorise(a, b, n, uint16(n));
            else if (what == 5) handler.collect(b);
            else if (what == 6) handler.newMandate(a, b);
            else if (what == 7) handler.grant(a, b, uint32(n));
            else if (what == 8) handler.sellAgent(a, b, c);
            else if (what == 9) handler.withdraw(a, n);
            else if (what == 10) handler.list(a, b);
            else if (what == 11) handler.unlist(a, b, c);
            else if (what == 12) handler.tryToListForOthers(a, b, c);
            else if (what == 13) handler.sign(a, b, c, n);
            else if (what == 14) handler.deposit(a, n % 500e6);
            else handler.relay(b);
        }
        require(handler.collections() >= 3, "too quiet");
        bytes4[8] memory limits = [
            SpendPolicy.PerDealCapExceeded.selector,
            SpendPolicy.DayCapExceeded.selector,
            SpendPolicy.WeekCapExceeded.selector,
            SpendPolicy.MonthCapExceeded.selector,
            SpendPolicy.TotalCapExceeded.selector,
            SpendPolicy.BelowMinPrice.selector,
            SpendPolicy.KeyNotLive.selector,
            AssetListings.AssetNotListed.selector
        ];
        for (uint256 door; door < 2; ++door) {
            require(handler.spends(door == 1) >= 10 && handler.deals(door == 1) >= 5, "too quiet by one door");
            for (uint256 i; i < limits.length; ++i) {
                require(handler.refusals(door == 1, limits[i]) >= 3, "a limit was hardly met");
            }
        }
        for (uint8 kind; kind < 4; ++kind) {
            SignedHandler.Kind k = SignedHandler.Kind(kind);
            require(handler.relayed(k) >= 5 && handler.turnedAway(k) >= 5, "what owners sign was hardly relayed");
        }
        invariant_assets_leave_by_deals_over_what_is_listed_alone();
        invariant_no_window_holds_more_than_its_cap();
        invariant_dead_keys_and_strangers_move_nothing_and_deals_are_whole();
        invariant_money_is_conserved_and_what_was_booked_was_spent();
        invariant_no_standing_allowance();
        invariant_no_agent_owns_itself();
    }
}
