// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAccessManager} from "@openzeppelin/contracts/access/manager/IAccessManager.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {FeeVault} from "../../FeeVault.sol";
import {Ledger} from "../../Ledger.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {DelayedAccessManager} from "../../access/DelayedAccessManager.sol";
import {Managed} from "../../access/Managed.sol";
import {Roles} from "../../access/Roles.sol";
import {Base} from "../Base.sol";

/// @dev How the platform's roles change hands, and what their holders may do.
contract RolesTest is Base {
    address private constant HEIR = address(0x4E12);

    function setUp() public {
        deployWithParties();
    }

    function refusal(uint64 role, address who) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Managed.NotInRole.selector, role, who);
    }

    /// @dev Calls as `who` and expects that the role is missing, or that it is not.
    function tried(address who, uint64 role, address target, bytes memory call) private returns (bool) {
        vm.prank(who);
        (bool done, bytes memory answer) = target.call(call);
        if (!done) require(keccak256(answer) == keccak256(refusal(role, who)), "another refusal");
        return done;
    }

    function rotates(uint64 role, address old, address target, bytes memory call) private {
        require(!tried(HEIR, role, target, call), "before");
        manager.grantRole(role, HEIR, 0);
        vm.warp(block.timestamp + 2 days - 1);
        require(!tried(HEIR, role, target, call), "while the grant waits");
        vm.warp(block.timestamp + 1);
        require(tried(HEIR, role, target, call), "after it");
        manager.revokeRole(role, old);
        require(!tried(old, role, target, call), "the former holder");
    }

    function test_the_minter_changes_after_two_days() public {
        AgentNFT.MintOrder memory o = order(bob.owner, address(0x11), terms(BUY), caps(1));
        rotates(Roles.MINTER, address(this), address(nft), abi.encodeCall(nft.mint, (o)));
    }

    function test_the_recorder_changes_after_two_days_and_what_was_anchored_stays() public {
        Ledger ledger = new Ledger(address(manager));
        ledger.anchor("first", 1);
        rotates(Roles.RECORDER, address(this), address(ledger), abi.encodeCall(ledger.anchor, ("root", 1)));
        require(ledger.anchoredAt("first") != 0 && ledger.batches() == 2, "both stand");
    }

    function test_the_issuer_changes_after_two_days() public {
        bytes memory call = abi.encodeCall(certificates.issue, (bob.owner, "serial:vin:1HGCM82633A004352", false));
        rotates(Roles.ISSUER, address(this), address(certificates), call);
    }

    function test_the_guardian_changes_after_two_days() public {
        rotates(Roles.GUARDIAN, GUARDIAN, address(policy), abi.encodeCall(policy.pauseAll, (1 hours)));
    }

    function test_the_treasury_changes_after_two_days() public {
        bytes memory call = abi.encodeCall(FeeVault.withdraw, (IERC20(address(usdc)), HEIR));
        rotates(Roles.TREASURY, TREASURER, TREASURY, call);
    }

    function test_the_admin_changes_after_two_days_too() public {
        manager.grantRole(Roles.ADMIN, HEIR, 0);
        vm.prank(HEIR);
        vm.expectRevert(
            abi.encodeWithSelector(IAccessManager.AccessManagerUnauthorizedAccount.selector, HEIR, Roles.ADMIN)
        );
        manager.grantRole(Roles.MINTER, HEIR, 0);
        vm.warp(block.timestamp + 2 days);
        vm.startPrank(HEIR);
        manager.revokeRole(Roles.ADMIN, address(this));
        manager.grantRole(Roles.MINTER, HEIR, 0);
        vm.stopPrank();
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessManager.AccessManagerUnauthorizedAccount.selector, address(this), Roles.ADMIN
            )
        );
        manager.grantRole(Roles.MINTER, SHOP, 0);
    }

    function test_a_grant_that_waits_is_taken_back_and_never_counts() public {
        manager.grantRole(Roles.MINTER, HEIR, 0);
        vm.warp(block.timestamp + 1 days);
        manager.revokeRole(Roles.MINTER, HEIR);
        vm.warp(block.timestamp + 2 days);
        AgentNFT.MintOrder memory o = order(bob.owner, address(0x11), terms(BUY), caps(1));
        require(!tried(HEIR, Roles.MINTER, address(nft), abi.encodeCall(nft.mint, (o))), "never");
    }

    function test_nobody_shortens_the_wait_or_lets_another_grant() public {
        bytes[4] memory calls = [
            abi.encodeCall(manager.setGrantDelay, (Roles.MINTER, 0)),
            abi.encodeCall(manager.setRoleAdmin, (Roles.MINTER, type(uint64).max)),
            abi.encodeCall(manager.setRoleGuardian, (Roles.MINTER, type(uint64).max)),
            abi.encodeCall(manager.setGrantDelay, (Roles.ADMIN, 0))
        ];
        for (uint256 i; i < calls.length; ++i) {
            (bool done, bytes memory answer) = address(manager).call(calls[i]);
            require(!done && bytes4(answer) == DelayedAccessManager.RolesAreFixed.selector, "refused");
        }
        manager.grantRole(Roles.MINTER, HEIR, 0);
        // Said again it does not begin to count sooner.
        vm.warp(block.timestamp + 1 days);
        manager.grantRole(Roles.MINTER, HEIR, 0);
        (uint48 since,,,) = manager.getAccess(Roles.MINTER, HEIR);
        require(since == START + 2 days && manager.getRoleGrantDelay(Roles.ADMIN) == 2 days, "two days");
    }

    function test_a_holder_whose_acts_must_be_scheduled_counts_as_none() public {
        manager.grantRole(Roles.GUARDIAN, HEIR, 1 hours);
        vm.warp(block.timestamp + 2 days);
        require(!tried(HEIR, Roles.GUARDIAN, address(policy), abi.encodeCall(policy.pauseAll, (1))), "none");
    }

    // The brakes

    function spendRefused(bytes memory words) private {
        vm.prank(bob.key);
        vm.expectRevert(words);
        bob.account.spend(address(usdc), SHOP, 1e6, "ref");
    }

    function pausedUntil(uint256 until) private pure returns (bytes memory) {
        return abi.encodeWithSignature("EverythingPaused(uint256)", until);
    }

    function test_the_guardian_stops_every_key_for_72_hours_and_no_owner() public {
        Settlement.Deal memory d = deal(10e6);
        d.deadline = uint48(block.timestamp + 30 days);
        vm.prank(bob.key);
        bytes32 digest =
            bob.account.authorizePayment(address(usdc), SHOP, 1e6, 0, block.timestamp + 600, "n1", "ref");
        bytes memory signature = abi.encodePacked(bob.key, sign(bob.keyPk, digest));
        vm.prank(GUARDIAN);
        policy.pauseAll(72 hours);
        uint256 until = START + 72 hours;

        spendRefused(pausedUntil(until));
        settleRefused(d, pausedUntil(until));
        vm.prank(bob.key);
        vm.expectRevert(pausedUntil(until));
        bob.account.authorizePayment(address(usdc), SHOP, 1e6, 0, block.timestamp + 600, "n2", "ref");
        require(bob.account.isValidSignature(digest, signature) == 0xffffffff, "nor is a booked payment collected");
        require(!policy.keyIsLive(bob.id, bob.key) && policy.remaining(bob.id, address(usdc)).spendable == 0, "told");
        require(policy.mandates(bob.id).pausedByGuardian, "as the guardian's");

        // The owner's doors open as ever.
        vm.startPrank(bob.owner);
        bob.account.execute(address(usdc), 0, abi.encodeCall(usdc.transfer, (bob.owner, 100e6)), 0);
        policy.setMandate(bob.id, terms(BUY), caps(500e6), none(), none());
        policy.revokeKey(bob.id, bob.key);
        policy.grantKey(bob.id, address(0x11), FAR);
        policy.setPaused(bob.id, true);
        policy.setPaused(bob.id, false);
        nft.transferFrom(bob.owner, SHOP, bob.id);
        vm.stopPrank();
        require(usdc.balanceOf(bob.owner) == 100e6 && nft.ownerOf(bob.id) == SHOP, "taken out and sold");
        vm.prank(alice.owner);
        policy.delist(alice.id, d.asset, d.tokenId);

        vm.warp(until - 1);
        vm.prank(alice.key);
        vm.expectRevert(pausedUntil(until));
        alice.account.spend(address(usdc), SHOP, 1e6, "ref");
        vm.warp(until);
        spend(alice, 1e6);
    }

    function test_no_stop_is_longer_than_72_hours_or_made_longer() public {
        vm.startPrank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSignature("PauseTooLong(uint256)", 72 hours + 1));
        policy.pauseAll(72 hours + 1);
        vm.expectRevert(abi.encodeWithSignature("PauseTooLong(uint256)", 0));
        policy.pauseAll(0);
        policy.pauseAll(1 hours);
        vm.expectRevert(abi.encodeWithSignature("CoolingDown(uint256)", START + 1 hours + 7 days));
        policy.pauseAll(72 hours);
        vm.stopPrank();
    }

    function test_after_a_stop_come_seven_days_without_one() public {
        vm.startPrank(GUARDIAN);
        policy.pauseAll(72 hours);
        uint256 free = START + 72 hours + 7 days;
        bytes memory cooling = abi.encodeWithSignature("CoolingDown(uint256)", free);
        vm.warp(free - 1);
        vm.expectRevert(cooling);
        policy.pauseAll(1);
        // Neither does stopping agents one by one go around it.
        vm.expectRevert(cooling);
        policy.setPaused(bob.id, true);
        vm.warp(free);
        policy.pauseAll(1);
        vm.stopPrank();
    }

    function test_a_stop_ended_early_cools_down_from_its_end() public {
        vm.startPrank(GUARDIAN);
        policy.pauseAll(72 hours);
        vm.warp(START + 1 hours);
        policy.resumeAll();
        vm.stopPrank();
        spend(bob, 1e6);
        vm.prank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSignature("CoolingDown(uint256)", START + 1 hours + 7 days));
        policy.pauseAll(1);
        // What is over cannot be ended again, which would only make the cool-down longer or shorter.
        vm.warp(START + 2 hours);
        vm.prank(GUARDIAN);
        policy.resumeAll();
        require(policy.allPausedUntil() == START + 1 hours, "as it was");
    }

    function test_another_guardian_begins_no_new_count() public {
        manager.grantRole(Roles.GUARDIAN, HEIR, 0);
        vm.startPrank(GUARDIAN);
        policy.setPaused(bob.id, true);
        policy.pauseAll(72 hours);
        vm.stopPrank();
        vm.warp(START + 72 hours);
        manager.revokeRole(Roles.GUARDIAN, GUARDIAN);
        vm.startPrank(HEIR);
        bytes memory cooling = abi.encodeWithSignature("CoolingDown(uint256)", START + 72 hours + 7 days);
        vm.expectRevert(cooling);
        policy.pauseAll(1);
        vm.expectRevert(cooling);
        policy.setPaused(bob.id, true);
        vm.stopPrank();
        spend(bob, 1e6);
    }

    function test_the_stop_of_one_agent_ends_by_itself_after_72_hours() public {
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        vm.warp(START + 72 hours - 1);
        spendRefused(abi.encodeWithSelector(SpendPolicy.AgentPaused.selector, bob.id));
        spend(alice, 1e6);
        vm.warp(START + 72 hours);
        spend(bob, 1e6);
        vm.prank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSignature("CoolingDown(uint256)", START + 72 hours + 7 days));
        policy.setPaused(bob.id, true);
        require(!policy.mandates(bob.id).pausedByGuardian, "told");
    }

    function test_only_the_guardian_stops_or_resumes_all() public {
        address[5] memory others = [address(this), TREASURER, bob.owner, bob.key, address(settlement)];
        for (uint256 i; i < others.length; ++i) {
            require(!tried(others[i], Roles.GUARDIAN, address(policy), abi.encodeCall(policy.pauseAll, (1))), "stop");
            require(!tried(others[i], Roles.GUARDIAN, address(policy), abi.encodeCall(policy.resumeAll, ())), "resume");
        }
    }

    // The vault

    function test_fees_lie_in_the_vault_until_the_treasury_takes_them() public {
        settle(deal(100e6));
        require(usdc.balanceOf(TREASURY) == 2e6, "in the vault");
        address[4] memory others = [address(this), GUARDIAN, bob.owner, address(settlement)];
        bytes memory call = abi.encodeCall(FeeVault.withdraw, (IERC20(address(usdc)), SHOP));
        for (uint256 i; i < others.length; ++i) {
            require(!tried(others[i], Roles.TREASURY, TREASURY, call), "another");
        }
        vm.prank(TREASURER);
        require(FeeVault(TREASURY).withdraw(IERC20(address(usdc)), SHOP) == 2e6, "told");
        require(usdc.balanceOf(SHOP) == 2e6 && usdc.balanceOf(TREASURY) == 0, "all of it");
    }

    function test_another_vault_is_named_by_the_admin_and_counts_two_days_later() public {
        address next = address(new FeeVault(address(manager)));
        bytes memory call = abi.encodeCall(settlement.proposeVault, (next));
        require(!tried(TREASURER, Roles.ADMIN, address(settlement), call), "only the admin");
        settlement.proposeVault(next);
        vm.expectRevert(abi.encodeWithSelector(Settlement.VaultNotReady.selector, START + 2 days));
        settlement.changeVault();
        vm.warp(START + 2 days);
        settle(deal(100e6));
        require(usdc.balanceOf(TREASURY) == 2e6, "until it is changed");
        vm.prank(SHOP);
        settlement.changeVault();
        settle(deal(50e6));
        require(settlement.vault() == next && usdc.balanceOf(next) == 1e6, "then there");
        vm.expectRevert(abi.encodeWithSelector(Settlement.VaultNotReady.selector, 0));
        settlement.changeVault();
    }

    function test_a_vault_that_waits_is_taken_back() public {
        settlement.proposeVault(SHOP);
        settlement.proposeVault(address(0));
        vm.warp(START + 30 days);
        vm.expectRevert(abi.encodeWithSelector(Settlement.VaultNotReady.selector, 0));
        settlement.changeVault();
        require(settlement.vault() == TREASURY, "as it was");
    }
}
