// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../../AgentAccount.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {Mandates} from "../../Mandates.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {Base} from "../Base.sol";

contract AgentNFTTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function test_the_registry_is_the_canonical_one() public view {
        require(
            address(nft.REGISTRY()).codehash == 0xda1d5b06e579f9e42e59b00fbc22939896ecb38dc8830d40de0a2508fecd6735,
            "code"
        );
    }

    function test_the_account_is_the_canonical_one_of_the_token() public view {
        address expected = nft.REGISTRY().account(address(implementation), 0, block.chainid, address(nft), alice.id);
        require(address(alice.account) == expected && nft.accountOf(alice.id) == expected, "account");
        (uint256 chainId, address tokenContract, uint256 tokenId) = alice.account.token();
        require(chainId == block.chainid && tokenContract == address(nft) && tokenId == alice.id, "token");
        require(alice.account.owner() == alice.owner, "owner");
    }

    function test_an_account_created_ahead_by_a_stranger_is_taken_over() public {
        nft.REGISTRY().createAccount(address(implementation), 0, block.chainid, address(nft), nextId());
        Party memory carol = party(0xCA401, terms(BUY), caps(1e6));
        spend(carol, 1e6);
    }

    function test_a_payment_mints_once() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(1));
        (uint256 id,) = nft.mint(o);
        require(nft.agentByPayment(o.paymentRef) == id, "found by payment");
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.PaymentAlreadyUsed.selector, o.paymentRef, id));
        nft.mint(o);
    }

    function test_a_mint_needs_minter_payment_tier_owner_key_and_terms() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(1));
        vm.prank(bob.owner);
        vm.expectRevert(abi.encodeWithSignature("NotInRole(uint64,address)", 1, bob.owner));
        nft.mint(o);
        o.paymentRef = 0;
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.PaymentMissing.selector));
        nft.mint(o);
        o = order(bob.owner, bob.key, terms(BUY), caps(1));
        o.tier = AgentNFT.Tier.NONE;
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.TierMissing.selector));
        nft.mint(o);
        o = order(address(0), bob.key, terms(BUY), caps(1));
        vm.expectRevert(abi.encodeWithSignature("ERC721InvalidReceiver(address)", address(0)));
        nft.mint(o);
        o = order(bob.owner, address(0), terms(BUY), caps(1));
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidKey.selector));
        nft.mint(o);
        o = order(bob.owner, bob.key, terms(0), caps(1));
        vm.expectRevert(abi.encodeWithSelector(Mandates.InvalidSides.selector, 0));
        nft.mint(o);
        require(nft.agentByPayment(o.paymentRef) == 0, "nothing half-minted");
    }

    function test_every_transfer_raises_the_epoch_and_ends_the_keys() public {
        require(nft.epochOf(bob.id) == 1, "minted");
        vm.startPrank(bob.owner);
        nft.transferFrom(bob.owner, bob.owner, bob.id);
        vm.stopPrank();
        require(nft.epochOf(bob.id) == 2 && !policy.keyIsLive(bob.id, bob.key), "even to oneself");
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, bob.owner, bob.id);
        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.key));
        bob.account.spend(address(usdc), SHOP, 1, "");
        // The mandate and what was spent under it belong to the agent and stay.
        bob = rekey(bob);
        spend(bob, 1);
    }

    function test_an_agent_does_not_come_to_own_itself() public {
        vm.startPrank(alice.owner);
        bytes memory refusal =
            abi.encodeWithSelector(AgentNFT.OwnershipCycle.selector, alice.id, address(alice.account));
        vm.expectRevert(refusal);
        nft.transferFrom(alice.owner, address(alice.account), alice.id);
        vm.expectRevert(refusal);
        nft.safeTransferFrom(alice.owner, address(alice.account), alice.id);
        vm.stopPrank();
    }

    function test_a_ring_of_agents_is_refused_at_its_last_link() public {
        Party memory carol = party(0xCA401, terms(BUY), caps(1e6));
        enter(bob, alice);
        enter(carol, bob);
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.OwnershipCycle.selector, alice.id, address(carol.account)));
        nft.transferFrom(alice.owner, address(carol.account), alice.id);
    }

    function test_a_ring_through_a_foreign_implementation_is_seen() public {
        address other = nft.REGISTRY().createAccount(address(0xD00D), "salt", block.chainid, address(nft), alice.id);
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.OwnershipCycle.selector, alice.id, other));
        nft.transferFrom(alice.owner, other, alice.id);
    }

    function test_an_account_of_the_same_token_id_on_another_chain_is_no_ring() public {
        address other = nft.REGISTRY().createAccount(address(0xD00D), "salt", block.chainid + 1, address(nft), alice.id);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, other, alice.id);
        require(nft.ownerOf(alice.id) == other, "moved");
    }

    function test_code_that_only_claims_to_be_an_account_closes_no_ring() public {
        address forged = address(0xF02D);
        vm.etch(forged, address(alice.account).code);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, forged, alice.id);
        require(nft.ownerOf(alice.id) == forged, "moved");
    }

    function test_an_account_of_another_collections_token_of_the_same_number_closes_no_ring() public {
        address namesake =
            nft.REGISTRY().createAccount(address(implementation), 0, block.chainid, address(assets), alice.id);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, namesake, alice.id);
        require(nft.ownerOf(alice.id) == namesake, "moved");
    }

    function test_a_chain_too_deep_to_follow_is_refused() public {
        Party memory last = bob;
        for (uint256 i; i < 7; ++i) {
            Party memory next = party(0xD0000 + i, terms(BUY), caps(1));
            enter(next, last);
            last = next;
        }
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.OwnershipCycle.selector, alice.id, address(last.account)));
        nft.transferFrom(alice.owner, address(last.account), alice.id);
    }

    function testFuzz_no_order_of_gifts_closes_a_ring(uint256 seed) public {
        Party[4] memory parties = [alice, bob, party(0xC1, terms(BUY), caps(1)), party(0xC2, terms(BUY), caps(1))];
        for (uint256 i; i < 24; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            Party memory what = parties[seed % 4];
            Party memory to = parties[(seed >> 8) % 4];
            address holder = nft.ownerOf(what.id);
            address target = (seed >> 16) % 3 == 0 ? to.owner : address(to.account);
            bytes memory move = abi.encodeCall(nft.transferFrom, (holder, target, what.id));
            // Into an account it comes by the hand of that one's owner.
            address mover = target == to.owner ? holder : nft.ownerOf(to.id);
            vm.prank(holder);
            nft.approve(mover, what.id);
            (bool success,) = _as(mover, address(nft), move);
            success;
            for (uint256 j; j < 4; ++j) {
                address at = nft.ownerOf(parties[j].id);
                uint256 steps;
                while (at.code.length != 0) {
                    require(++steps <= 4, "a ring");
                    (,, uint256 id) = AgentAccount(payable(at)).token();
                    at = nft.ownerOf(id);
                }
            }
        }
    }

    function _as(address who, address to, bytes memory data) private returns (bool success, bytes memory result) {
        vm.prank(who);
        return to.call(data);
    }

    function testFuzz_an_agents_number_is_its_payments_and_exact_in_json(bytes32 paymentRef) public view {
        uint256 id = nft.idOf(paymentRef);
        require(id == uint256(keccak256(abi.encode(paymentRef))) >> 203 && id < 2 ** 53, "53 bits of its hash");
    }
}
