// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Mandates} from "../Mandates.sol";
import {Settlement} from "../Settlement.sol";
import {SpendPolicy} from "../SpendPolicy.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";

/// @dev The smallest caps, the lowest category, the last second: where one more or less would go unseen elsewhere.
contract BoundariesTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function refused(uint256 amount, bytes memory refusal) private {
        vm.prank(bob.key);
        vm.expectRevert(refusal);
        bob.account.spend(address(usdc), SHOP, amount, "ref");
    }

    function test_a_cap_of_one_unit_is_a_cap() public {
        setMandate(bob, terms(BUY), caps(5, 1, 0, 0, 0, 0));
        refused(2, abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 2, 0, 1));
        spend(bob, 1);
        refused(1, abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 1, 1, 1));
        vm.warp(START + 7 days);
        setMandate(bob, terms(BUY), caps(5, 0, 1, 0, 0, 0));
        spend(bob, 1);
        refused(1, abi.encodeWithSelector(SpendPolicy.WeekCapExceeded.selector, bob.id, address(usdc), 1, 1, 1));
        vm.warp(START + 40 days);
        setMandate(bob, terms(BUY), caps(5, 0, 0, 1, 0, 0));
        spend(bob, 1);
        refused(1, abi.encodeWithSelector(SpendPolicy.MonthCapExceeded.selector, bob.id, address(usdc), 1, 1, 1));
        setMandate(bob, terms(BUY), caps(1, 0, 0, 0, 1, 0));
        refused(2, abi.encodeWithSelector(SpendPolicy.PerDealCapExceeded.selector, bob.id, address(usdc), 2, 1));
        spend(bob, 1);
        refused(1, abi.encodeWithSelector(SpendPolicy.TotalCapExceeded.selector, bob.id, address(usdc), 1, 1, 1));
    }

    function test_one_unit_spent_under_a_mandate_does_not_count_under_the_next() public {
        for (uint256 mandates; mandates < 2; ++mandates) {
            setMandate(bob, terms(BUY), caps(1, 0, 0, 0, 1, 0));
            spend(bob, 1);
        }
    }

    function test_a_cap_of_its_highest_bit_alone_is_a_cap() public {
        uint128 most = 2 ** 79;
        usdc.mint(address(bob.account), 4 * most);
        setMandate(bob, terms(BUY), caps(most - 1, most, 0, 0, 0, 0));
        spend(bob, most - 1);
        spend(bob, 1);
        refused(1, abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 1, most, most));
        vm.warp(START + 1 days);
        setMandate(bob, terms(BUY), caps(most - 1, 0, 0, 0, most, 0));
        spend(bob, most - 1);
        spend(bob, 1);
        refused(1, abi.encodeWithSelector(SpendPolicy.TotalCapExceeded.selector, bob.id, address(usdc), 1, most, most));
    }

    function test_each_limit_is_told_and_the_tightest_is_spendable() public {
        uint128[5] memory limits = [uint128(15), 14, 13, 12, 11];
        for (uint256 tightest; tightest < 5; ++tightest) {
            uint128[5] memory l = limits;
            l[tightest] = 5;
            setMandate(bob, terms(BUY), caps(l[0], l[1], l[2], l[3], l[4], 7));
            ISpendPolicy.Limits memory left = policy.remaining(bob.id, address(usdc));
            require(left.spendable == 5, "the tightest");
            require(left.perDeal == l[0] && left.day == l[1] && left.week == l[2], "per deal, day, week");
            require(left.month == l[3] && left.total == l[4], "month, total");
            ISpendPolicy.TokenCap memory cap = policy.capOf(bob.id, address(usdc));
            require(cap.token == address(usdc) && cap.perDeal == l[0] && cap.dayCap == l[1], "caps");
            require(cap.weekCap == l[2] && cap.monthCap == l[3] && cap.totalCap == l[4], "longer caps");
            require(cap.minPrice == 7, "floor");
        }
    }

    function test_every_term_is_kept_and_told() public {
        ISpendPolicy.Terms memory t =
            ISpendPolicy.Terms("hash", START - 7, START + 7, SELL, true, uint256(type(uint64).max));
        setMandate(bob, t, caps(1));
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        Mandates.Mandate memory m = policy.mandates(bob.id);
        require(m.mandateHash == "hash" && m.validAfter == START - 7 && m.expiry == START + 7, "hash and time");
        require(m.version == 2 && m.sides == SELL && m.allowlistOnly, "version, side, list");
        require(!m.pausedByOwner && m.pausedByGuardian && m.categories == type(uint64).max, "pauses, categories");
        (t.validAfter, t.expiry) = (START + 9, START + 8);
        vm.prank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidTerm.selector, START + 9, START + 8));
        policy.setMandate(bob.id, t, caps(1), none(), none());
    }

    function test_the_first_category_is_a_category() public {
        ISpendPolicy.Terms memory t = terms(BUY);
        t.categories = 1;
        setMandate(bob, t, caps(500e6));
        refused(1, abi.encodeWithSelector(SpendPolicy.CategoryNotAllowed.selector, bob.id, 255));
        Settlement.Deal memory d = deal(100e6);
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.CategoryNotAllowed.selector, bob.id, RWA));
        d.category = 1;
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.CategoryNotAllowed.selector, bob.id, 1));
        d.category = 0;
        settle(d);
    }

    function test_one_allowed_and_one_denied_are_two_lists() public {
        vm.prank(bob.owner);
        policy.setMandate(bob.id, terms(BUY), caps(50e6), one(TREASURY), one(SHOP));
        refused(1, abi.encodeWithSelector(SpendPolicy.CounterpartyNotAllowed.selector, bob.id, SHOP));
        require(policy.listingOf(bob.id, SHOP) == Mandates.Listing.DENIED, "denied");
        require(policy.listingOf(bob.id, TREASURY) == Mandates.Listing.ALLOWED, "allowed");
    }

    function test_an_agent_that_was_never_minted_has_no_live_key() public view {
        require(!policy.keyIsLive(99, address(0)) && !policy.keyIsLive(99, bob.key), "no key");
        require(policy.stampOf(99) == 0, "no stamp");
    }

    function test_the_smallest_fees_go_where_they_should() public {
        settle(deal(49));
        require(usdc.balanceOf(TREASURY) == 0 && usdc.balanceOf(address(alice.account)) == 1_000e6 + 49, "none");
        settle(deal(50));
        require(usdc.balanceOf(TREASURY) == 1 && usdc.balanceOf(address(alice.account)) == 1_000e6 + 98, "one");
    }
}
