// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Handler} from "./Handler.sol";

contract InvariantTest {
    Handler private handler;

    function setUp() public {
        handler = new Handler();
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

    function invariant_no_standing_allowance() public view {
        require(handler.noAllowance(), "an allowance stands");
    }

    function invariant_no_agent_owns_itself() public view {
        require(handler.noRing(), "a ring of owners");
    }

    /// @dev Campaigns in which nothing happens would prove nothing: at random, all of this does happen.
    function test_random_lives_spend_deal_and_collect() public {
        uint256 dice = 7;
        for (uint256 i; i < 400; ++i) {
            dice = uint256(keccak256(abi.encode(dice)));
            (uint8 a, uint8 b, uint8 c, uint64 n) =
                (uint8(dice), uint8(dice >> 8), uint8(dice >> 16), uint64(dice >> 24));
            uint256 what = (dice >> 96) % 10;
            if (what == 0) handler.wait(uint32(n));
            else if (what == 1) handler.spendSome(a, b, n);
            else if (what == 2) handler.spendAllThatIsLeft(a, b);
            else if (what == 3) handler.trade(a, b, c, n, n % 2 == 0);
            else if (what == 4) handler.authorise(a, b, n, uint16(n));
            else if (what == 5) handler.collect(b);
            else if (what == 6) handler.newMandate(a, b);
            else if (what == 7) handler.grant(a, b, uint32(n));
            else if (what == 8) handler.sellAgent(a, b, c);
            else handler.withdraw(a, n);
        }
        bool lively = handler.spends() >= 15 && handler.deals() >= 8 && handler.collections() >= 3;
        require(lively, "too quiet");
        invariant_no_window_holds_more_than_its_cap();
        invariant_dead_keys_and_strangers_move_nothing_and_deals_are_whole();
        invariant_money_is_conserved_and_what_was_booked_was_spent();
        invariant_no_standing_allowance();
        invariant_no_agent_owns_itself();
    }
}
