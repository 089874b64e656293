// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentAccount} from "../AgentAccount.sol";
import {AgentNFT} from "../AgentNFT.sol";
import {Brakes} from "../Brakes.sol";
import {FeeVault} from "../FeeVault.sol";
import {Ledger} from "../Ledger.sol";
import {Mandates} from "../Mandates.sol";
import {Settlement} from "../Settlement.sol";
import {SpendPolicy} from "../SpendPolicy.sol";
import {TestUSDC} from "../TestUSDC.sol";
import {IAgentNFT} from "../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";
import {Vm} from "./Vm.sol";

/// @dev What the contracts tell those who only read: every event, and every field of it.
contract EventsTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function test_a_mint_tells_of_agent_account_owner_tier_and_payment() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(7));
        o.tier = AgentNFT.Tier.EXECUTOR;
        uint256 id = nft.idOf(o.paymentRef);
        address account = nft.REGISTRY().account(address(implementation), 0, block.chainid, address(nft), id);
        vm.expectEmit(address(nft));
        emit AgentNFT.EpochRaised(id, 1);
        vm.expectEmit(address(policy));
        emit Mandates.MandateSet(id, 1, o.terms.mandateHash, o.terms);
        vm.expectEmit(address(policy));
        emit Mandates.CapSet(id, 1, address(usdc), o.caps[0]);
        vm.expectEmit(address(policy));
        emit Mandates.KeyGranted(id, bob.key, 1, o.keyValidUntil);
        vm.expectEmit(address(nft));
        emit AgentNFT.AgentMinted(id, account, bob.owner, AgentNFT.Tier.EXECUTOR, o.paymentRef);
        nft.mint(o);
    }

    function test_a_binding_is_told() public {
        SpendPolicy fresh = new SpendPolicy(address(this), address(manager));
        vm.expectEmit(address(fresh));
        emit Mandates.Bound(address(nft), address(settlement), address(certificates));
        fresh.bind(IAgentNFT(nft), address(settlement), address(certificates));
    }

    function test_lists_keys_and_pauses_are_told() public {
        vm.expectEmit(address(policy));
        emit Mandates.PartyListed(bob.id, 2, SHOP, Mandates.Listing.ALLOWED);
        vm.expectEmit(address(policy));
        emit Mandates.PartyListed(bob.id, 2, TREASURY, Mandates.Listing.DENIED);
        vm.prank(bob.owner);
        policy.setMandate(bob.id, terms(BUY), caps(50e6), one(SHOP), one(TREASURY));

        vm.expectEmit(address(policy));
        emit Mandates.KeyRevoked(bob.id, bob.key, GUARDIAN);
        vm.prank(GUARDIAN);
        policy.revokeKey(bob.id, bob.key);

        vm.expectEmit(address(policy));
        emit Mandates.PausedSet(bob.id, true, true);
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        vm.expectEmit(address(policy));
        emit Mandates.PausedSet(bob.id, true, false);
        vm.prank(bob.owner);
        policy.setPaused(bob.id, true);
    }

    function test_the_end_of_a_pause_is_told_by_whoever_ends_it() public {
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        vm.expectEmit(address(policy));
        emit Mandates.PausedSet(bob.id, false, true);
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, false);
        vm.prank(bob.owner);
        policy.setPaused(bob.id, true);
        vm.expectEmit(address(policy));
        emit Mandates.PausedSet(bob.id, false, false);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
    }

    function test_a_transfer_tells_of_the_epoch_that_it_begins() public {
        vm.expectEmit(address(nft));
        emit AgentNFT.EpochRaised(bob.id, 2);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
    }

    function test_a_sale_of_an_agent_that_was_not_paused_tells_of_no_pause() public {
        vm.recordLogs();
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs.length != 0, "something is told");
        for (uint256 i; i < logs.length; ++i) {
            require(logs[i].topics[0] != Mandates.PausedSet.selector, "not of a pause");
        }
    }

    function test_what_comes_over_and_what_is_bound_is_told() public {
        Settlement second = new Settlement(IAgentNFT(nft), address(manager), TREASURY);
        vm.expectEmit(address(policy));
        emit Mandates.SettlementAdmitted(address(second));
        policy.admitSettlement(address(second));
        vm.expectEmit(address(policy));
        emit Mandates.SettlementBound(bob.id, address(second), 1);
        vm.prank(bob.owner);
        policy.bindSettlement(bob.id, address(second));
        SpendPolicy newer = new SpendPolicy(address(this), address(manager));
        newer.bind(IAgentNFT(nft), address(second), address(certificates));
        nft.admitPolicy(newer);
        vm.expectEmit(address(newer));
        emit Mandates.CameOver(bob.id, address(policy));
        vm.expectEmit(address(nft));
        emit AgentNFT.PolicyBound(bob.id, address(newer), address(policy));
        vm.prank(bob.owner);
        nft.bindPolicy(bob.id, newer);
    }

    function test_a_stop_of_all_is_told_with_its_end_and_one_that_is_over_ends_no_more() public {
        vm.expectEmit(address(policy));
        emit Brakes.AllPaused(START + 1 hours, GUARDIAN);
        vm.prank(GUARDIAN);
        policy.pauseAll(1 hours);
        vm.warp(START + 30 minutes);
        uint256 halfway = vm.snapshotState();
        vm.expectEmit(address(policy));
        emit Brakes.AllPaused(START + 30 minutes, GUARDIAN);
        vm.prank(GUARDIAN);
        policy.resumeAll();
        vm.revertToState(halfway);
        vm.warp(START + 1 hours);
        vm.recordLogs();
        vm.prank(GUARDIAN);
        policy.resumeAll();
        require(vm.getRecordedLogs().length == 0, "over by itself");
    }

    function test_fees_taken_out_are_told() public {
        settle(deal(100e6));
        vm.expectEmit(TREASURY);
        emit FeeVault.Withdrawn(address(usdc), SHOP, 2e6, TREASURER);
        vm.prank(TREASURER);
        FeeVault(TREASURY).withdraw(IERC20(address(usdc)), SHOP);
    }

    function test_a_vault_that_is_proposed_and_taken_is_told() public {
        vm.expectEmit(address(settlement));
        emit Settlement.VaultProposed(SHOP, block.timestamp + 2 days);
        settlement.proposeVault(SHOP);
        vm.warp(block.timestamp + 2 days);
        vm.expectEmit(address(settlement));
        emit Settlement.VaultChanged(SHOP);
        settlement.changeVault();
    }

    function test_a_spend_is_told_with_the_key_that_spent() public {
        spend(bob, 3e6);
        vm.expectEmit(address(bob.account));
        emit AgentAccount.Spent(address(usdc), SHOP, "ref", bob.key, 4e6);
        spend(bob, 4e6);
    }

    function test_a_payment_authorised_and_collected_is_told() public {
        bytes32 domain = usdc.DOMAIN_SEPARATOR();
        bytes32 content = keccak256(
            abi.encode(
                usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
                address(bob.account),
                SHOP,
                5e6,
                START - 1,
                START + 60,
                bytes32("nonce")
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, content));
        vm.expectEmit(address(bob.account));
        emit AgentAccount.PaymentAuthorized(digest, SHOP, "ref", address(usdc), 5e6, "nonce");
        vm.prank(bob.key);
        bytes32 given =
            bob.account.authorizePayment(address(usdc), SHOP, 5e6, START - 1, START + 60, "nonce", "ref");
        require(given == digest, "the digest is answered too");
        (address key, uint32 validBefore, uint64 stamp) = bob.account.payments(digest);
        require(key == bob.key && validBefore == START + 60 && stamp == policy.stampOf(bob.id), "and kept");
        require(stamp == uint64(1) << 32 | 1, "epoch and version");
        vm.expectEmit(address(usdc));
        emit TestUSDC.AuthorizationUsed(address(bob.account), "nonce");
        usdc.transferWithAuthorization(
            address(bob.account),
            SHOP,
            5e6,
            START - 1,
            START + 60,
            "nonce",
            abi.encodePacked(bob.key, sign(bob.keyPk, digest))
        );
    }

    function test_what_an_owner_does_is_told_with_the_state_it_left() public {
        bytes memory call = abi.encodeCall(IERC20.transfer, (SHOP, 1));
        vm.expectEmit(address(bob.account));
        emit AgentAccount.Executed(bob.owner, address(usdc), 0, IERC20.transfer.selector, 1);
        vm.prank(bob.owner);
        bytes memory answer = bob.account.execute(address(usdc), 0, call, 0);
        require(abi.decode(answer, (bool)), "what the token answered");
        vm.deal(address(bob.account), 9);
        vm.expectEmit(address(bob.account));
        emit AgentAccount.Executed(bob.owner, SHOP, 9, bytes4(0), 2);
        vm.prank(bob.owner);
        bob.account.execute(SHOP, 9, hex"a9059c", 0);
    }

    function test_a_deal_is_told_once_with_all_that_identifies_it() public {
        Settlement.Deal memory d = deal(100e6);
        vm.expectEmit(address(settlement));
        emit Settlement.DealSettled(
            d.dealId,
            address(alice.account),
            address(bob.account),
            address(assets),
            d.tokenId,
            address(usdc),
            100e6,
            2e6
        );
        settle(d);
    }

    function test_an_anchoring_is_told() public {
        Ledger ledger = new Ledger(address(manager));
        ledger.anchor("first", 3);
        vm.expectEmit(address(ledger));
        emit Ledger.Anchored("root", 5, 2);
        ledger.anchor("root", 5);
    }

    function test_an_authorisation_taken_back_is_told() public {
        bytes32 content = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), bob.owner, bytes32("n")));
        bytes memory signature =
            sign(bob.ownerPk, keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), content)));
        vm.expectEmit(address(usdc));
        emit TestUSDC.AuthorizationCanceled(bob.owner, "n");
        usdc.cancelAuthorization(bob.owner, "n", signature);
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.cancelAuthorization(bob.owner, "n", signature);
    }
}
