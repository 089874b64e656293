// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentNFT} from "../AgentNFT.sol";
import {Mandates} from "../Mandates.sol";
import {SpendPolicy} from "../SpendPolicy.sol";
import {IAgentNFT} from "../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";

contract SpendPolicyTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function refused(Party memory p, uint256 amount, bytes memory refusal) private {
        vm.prank(p.key);
        vm.expectRevert(refusal);
        p.account.spend(address(usdc), SHOP, amount, "ref");
    }

    function test_the_policy_is_bound_once_by_its_deployer_to_contracts() public {
        SpendPolicy fresh = new SpendPolicy(alice.owner, address(manager));
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotDeployer.selector, address(this)));
        fresh.bind(IAgentNFT(nft), address(settlement), address(certificates));
        vm.startPrank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotAContract.selector, address(1)));
        fresh.bind(IAgentNFT(nft), address(1), address(certificates));
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotAContract.selector, address(2)));
        fresh.bind(IAgentNFT(nft), address(settlement), address(2));
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotAContract.selector, address(0)));
        fresh.bind(IAgentNFT(address(0)), address(settlement), address(certificates));
        fresh.bind(IAgentNFT(nft), address(settlement), address(certificates));
        vm.expectRevert(abi.encodeWithSelector(Mandates.AlreadyBound.selector));
        fresh.bind(IAgentNFT(nft), address(settlement), address(certificates));
        vm.stopPrank();
        require(fresh.settlement() == address(settlement) && address(fresh.nft()) == address(nft), "bound");
    }

    function test_the_mint_sets_mandate_and_key() public view {
        Mandates.Mandate memory m = policy.mandates(alice.id);
        require(m.mandateHash == keccak256("mandate") && m.version == 1 && m.sides == 3, "mandate");
        require(policy.keyIsLive(alice.id, alice.key) && !policy.keyIsLive(alice.id, bob.key), "key");
        require(policy.capOf(alice.id, address(usdc)).perDeal == 500e6, "cap");
    }

    function test_per_deal_cap_holds_to_the_unit() public {
        setMandate(bob, terms(BUY), caps(50e6));
        refused(
            bob,
            50e6 + 1,
            abi.encodeWithSelector(SpendPolicy.PerDealCapExceeded.selector, bob.id, address(usdc), 50e6 + 1, 50e6)
        );
        spend(bob, 50e6);
        require(usdc.balanceOf(SHOP) == 50e6, "paid");
    }

    function test_day_cap_rolls_to_the_second() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 0, 0, 0, 0));
        spend(bob, 50e6);
        vm.warp(START + 10 hours);
        spend(bob, 50e6);
        bytes memory refusal =
            abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 1, 100e6, 100e6);
        refused(bob, 1, refusal);
        vm.warp(START + 1 days - 1);
        refused(bob, 1, refusal);
        vm.warp(START + 1 days);
        spend(bob, 50e6);
        refused(bob, 1, refusal);
        vm.warp(START + 1 days + 10 hours);
        require(policy.remaining(bob.id, address(usdc)).day == 50e6, "the second has left the window");
    }

    function test_week_cap_rolls_to_the_second() public {
        setMandate(bob, terms(BUY), caps(50e6, 0, 60e6, 0, 0, 0));
        spend(bob, 50e6);
        vm.warp(START + 7 days - 1);
        refused(
            bob,
            11e6,
            abi.encodeWithSelector(SpendPolicy.WeekCapExceeded.selector, bob.id, address(usdc), 11e6, 50e6, 60e6)
        );
        spend(bob, 10e6);
        vm.warp(START + 7 days);
        spend(bob, 50e6);
    }

    function test_month_cap_ends_with_the_utc_month() public {
        setMandate(bob, terms(BUY), caps(50e6, 0, 0, 80e6, 0, 0));
        vm.warp(1_761_955_199); // 2025-10-31 23:59:59
        spend(bob, 50e6);
        refused(
            bob,
            40e6,
            abi.encodeWithSelector(SpendPolicy.MonthCapExceeded.selector, bob.id, address(usdc), 40e6, 50e6, 80e6)
        );
        vm.warp(1_761_955_200); // 2025-11-01 00:00:00
        require(policy.remaining(bob.id, address(usdc)).month == 80e6, "new month");
        spend(bob, 40e6);
        spend(bob, 40e6);
        require(policy.remaining(bob.id, address(usdc)).month == 0, "spent");
    }

    function test_total_cap_is_the_mandates_own_and_windows_outlive_it() public {
        setMandate(bob, terms(BUY), caps(50e6, 90e6, 90e6, 90e6, 60e6, 0));
        spend(bob, 50e6);
        refused(
            bob,
            11e6,
            abi.encodeWithSelector(SpendPolicy.TotalCapExceeded.selector, bob.id, address(usdc), 11e6, 50e6, 60e6)
        );
        setMandate(bob, terms(BUY), caps(50e6, 90e6, 90e6, 90e6, 60e6, 0));
        ISpendPolicy.Limits memory left = policy.remaining(bob.id, address(usdc));
        require(left.total == 60e6, "a new mandate has its own total");
        require(left.day == 40e6 && left.week == 40e6 && left.month == 40e6, "windows go on");
        spend(bob, 40e6);
        refused(
            bob, 1, abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 1, 90e6, 90e6)
        );
    }

    function test_a_cap_set_later_counts_what_was_spent_before_it() public {
        spend(bob, 300e6);
        setMandate(bob, terms(BUY), caps(400e6, 310e6, 320e6, 330e6, 0, 0));
        ISpendPolicy.Limits memory left = policy.remaining(bob.id, address(usdc));
        require(left.day == 10e6 && left.week == 20e6 && left.month == 30e6, "counted");
        require(left.total == type(uint256).max && left.perDeal == 400e6 && left.spendable == 10e6, "limits");
    }

    function test_dropping_a_token_for_one_mandate_does_not_reset_its_windows() public {
        spend(bob, 300e6);
        setMandate(bob, terms(BUY), new ISpendPolicy.TokenCap[](0));
        refused(bob, 1, abi.encodeWithSelector(SpendPolicy.TokenNotAllowed.selector, bob.id, address(usdc)));
        require(policy.remaining(bob.id, address(usdc)).spendable == 0, "not allowed");
        setMandate(bob, terms(BUY), caps(400e6, 310e6, 0, 0, 0, 0));
        require(policy.remaining(bob.id, address(usdc)).spendable == 10e6, "still counted");
    }

    function test_zero_is_not_a_payment() public {
        refused(bob, 0, abi.encodeWithSelector(SpendPolicy.ZeroAmount.selector));
    }

    function test_a_mandate_has_its_time() public {
        ISpendPolicy.Terms memory t = terms(BUY);
        (t.validAfter, t.expiry) = (START + 100, START + 200);
        setMandate(bob, t, caps(50e6));
        bytes memory refusal =
            abi.encodeWithSelector(SpendPolicy.MandateNotActive.selector, bob.id, START + 100, START + 200);
        vm.warp(START + 99);
        refused(bob, 1, refusal);
        require(policy.remaining(bob.id, address(usdc)).spendable == 0, "not yet");
        require(!policy.keyIsLive(bob.id, bob.key), "not yet live");
        vm.warp(START + 100);
        spend(bob, 1);
        vm.warp(START + 199);
        spend(bob, 1);
        vm.warp(START + 200);
        refused(bob, 1, refusal);
        require(policy.remaining(bob.id, address(usdc)).spendable == 0, "over");
        require(!policy.keyIsLive(bob.id, bob.key), "dead");
    }

    function test_owner_and_guardian_pause_and_lift_only_their_own() public {
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.AgentPaused.selector, bob.id);
        vm.prank(bob.owner);
        policy.setPaused(bob.id, true);
        refused(bob, 1, refusal);
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, false);
        refused(bob, 1, refusal);
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        vm.prank(bob.owner);
        policy.setPaused(bob.id, false);
        refused(bob, 1, refusal);
        require(policy.remaining(bob.id, address(usdc)).spendable == 0, "paused");
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, false);
        spend(bob, 1);
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, alice.owner));
        policy.setPaused(bob.id, true);
    }

    function test_a_new_mandate_does_not_lift_a_pause() public {
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        setMandate(bob, terms(BUY), caps(50e6));
        refused(bob, 1, abi.encodeWithSelector(SpendPolicy.AgentPaused.selector, bob.id));
    }

    function test_the_guardian_can_loosen_nothing() public {
        vm.startPrank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, GUARDIAN));
        policy.setMandate(bob.id, terms(BUY), caps(900e6), none(), none());
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, GUARDIAN));
        policy.grantKey(bob.id, GUARDIAN, FAR);
        policy.revokeKey(bob.id, bob.key);
        vm.stopPrank();
        refused(bob, 1, abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.key));
    }

    function test_keys_end_by_time_by_themselves_and_by_the_owner() public {
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.key);
        vm.startPrank(bob.owner);
        policy.grantKey(bob.id, bob.key, START + 10);
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidKey.selector));
        policy.grantKey(bob.id, address(0), FAR);
        vm.stopPrank();
        vm.warp(START + 9);
        spend(bob, 1);
        vm.warp(START + 10);
        refused(bob, 1, refusal);
        vm.prank(bob.owner);
        policy.grantKey(bob.id, bob.key, FAR);
        spend(bob, 1);
        vm.prank(bob.key);
        policy.revokeKey(bob.id, bob.key);
        refused(bob, 1, refusal);
        vm.prank(alice.key);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, alice.key));
        policy.revokeKey(bob.id, bob.key);
    }

    function test_only_a_buyers_mandate_pays() public {
        setMandate(bob, terms(SELL), caps(50e6));
        refused(bob, 1, abi.encodeWithSelector(SpendPolicy.SideNotAllowed.selector, bob.id, BUY));
        require(policy.remaining(bob.id, address(usdc)).spendable == 0, "a seller spends nothing");
    }

    function test_lists_of_counterparties() public {
        ISpendPolicy.Terms memory t = terms(BUY);
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.CounterpartyNotAllowed.selector, bob.id, SHOP);
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(50e6), none(), one(SHOP));
        refused(bob, 1, refusal);
        t.allowlistOnly = true;
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(50e6), one(TREASURY), none());
        refused(bob, 1, refusal);
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(50e6), one(SHOP), none());
        spend(bob, 1);
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(50e6), one(SHOP), one(SHOP));
        refused(bob, 1, refusal);
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(50e6), none(), none());
        refused(bob, 1, refusal);
    }

    function test_a_payment_outside_a_deal_cannot_pass_by_the_categories() public {
        ISpendPolicy.Terms memory t = terms(BUY);
        t.categories = 1 << RWA;
        setMandate(bob, t, caps(50e6));
        refused(bob, 1, abi.encodeWithSelector(SpendPolicy.CategoryNotAllowed.selector, bob.id, 255));
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(50e6), one(SHOP), none());
        spend(bob, 1);
    }

    function test_terms_that_mean_nothing_are_refused() public {
        ISpendPolicy.Terms memory t = terms(0);
        vm.startPrank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidSides.selector, 0));
        policy.setMandate(bob.id, t, caps(1), none(), none());
        t.sides = 4;
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidSides.selector, 4));
        policy.setMandate(bob.id, t, caps(1), none(), none());
        t.sides = 1;
        t.validAfter = FAR;
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidTerm.selector, FAR, FAR));
        policy.setMandate(bob.id, t, caps(1), none(), none());
        t.validAfter = 0;
        t.expiry = 1 << 40;
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidTerm.selector, 0, 1 << 40));
        policy.setMandate(bob.id, t, caps(1), none(), none());
        t.expiry = FAR;
        t.categories = 1 << 64;
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidCategories.selector, 1 << 64));
        policy.setMandate(bob.id, t, caps(1), none(), none());
        t.categories = 0;
        ISpendPolicy.TokenCap[] memory twice = new ISpendPolicy.TokenCap[](2);
        twice[0] = caps(1)[0];
        twice[1] = caps(2)[0];
        vm.expectRevert(abi.encodeWithSelector(Mandates.DuplicateToken.selector, address(usdc)));
        policy.setMandate(bob.id, t, twice, none(), none());
        vm.stopPrank();
    }

    function test_only_the_owner_sets_terms_and_only_the_mint_the_first() public {
        vm.startPrank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, bob.key));
        policy.setMandate(bob.id, terms(3), caps(900e6), none(), none());
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, bob.key));
        policy.grantKey(bob.id, bob.key, FAR);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotAgentNFT.selector, bob.key));
        policy.initialise(bob.id, address(bob.account), terms(3), caps(900e6), none(), none(), bob.key, FAR);
        vm.stopPrank();
        vm.prank(address(nft));
        vm.expectRevert(abi.encodeWithSelector(Mandates.AlreadyInitialised.selector, bob.id));
        policy.initialise(bob.id, address(bob.account), terms(3), caps(900e6), none(), none(), bob.key, FAR);
    }

    function test_only_the_agents_token_lets_an_agent_come_over() public {
        // The policy's own helper is the first contract that it made.
        address[3] memory others = [bob.key, bob.owner, vm.computeCreateAddress(address(policy), 1)];
        require(others[2].code.length != 0, "it stands there");
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Mandates.NotAgentNFT.selector, others[i]));
            policy.adopt(bob.id, address(bob.account), 1, policy);
        }
    }

    function test_only_contracts_are_admitted_as_settlements() public {
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotAContract.selector, address(1)));
        policy.admitSettlement(address(1));
    }

    function test_a_mandate_may_last_as_long_as_a_time_is_kept() public {
        ISpendPolicy.Terms memory t = terms(BUY);
        t.expiry = type(uint40).max;
        setMandate(bob, t, caps(5));
        require(policy.mandates(bob.id).expiry == type(uint40).max, "the last second");
    }

    function test_it_tells_what_owners_sign_under() public view {
        (bytes1 fields, string memory name, string memory version, uint256 chain, address place, bytes32 salt, uint256[] memory more) =
            policy.eip712Domain();
        require(fields == 0x0f && salt == 0 && more.length == 0, "ERC-5267");
        require(chain == block.chainid && place == address(policy), "here");
        require(keccak256(bytes(name)) == keccak256("SafeHandshakeSpendPolicy"), "name");
        require(keccak256(bytes(version)) == keccak256("1"), "version");
    }

    function test_only_the_agents_account_books() public {
        vm.startPrank(bob.key);
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.NotAccount.selector, bob.id, bob.key);
        vm.expectRevert(refusal);
        policy.bookPayment(bob.id, bob.key, address(usdc), SHOP, 1);
        vm.expectRevert(refusal);
        policy.bookPurchase(
            bob.id, address(settlement), ISpendPolicy.Purchase(bob.key, address(usdc), SHOP, 1, RWA)
        );
        vm.expectRevert(refusal);
        policy.bookSale(bob.id, address(settlement), ISpendPolicy.Sale(bob.key, address(assets), 1, SHOP, address(usdc), 1, RWA));
        vm.stopPrank();
    }

    function test_caps_of_one_agent_are_not_anothers() public {
        spend(bob, 400e6);
        require(policy.spentTotal(bob.id, address(usdc)) == 400e6, "booked");
        require(policy.spentTotal(alice.id, address(usdc)) == 0, "not to the other");
        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, alice.id, bob.key));
        alice.account.spend(address(usdc), SHOP, 1, "ref");
    }
}
