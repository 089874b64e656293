// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Mandates} from "../../Mandates.sol";
import {OwnerWords} from "../../OwnerWords.sol";
import {IAgentNFT} from "../../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Base} from "../Base.sol";

/// @dev A contract wallet that says yes to one digest.
contract Wallet is IERC1271 {
    bytes32 public approved;

    function approve(bytes32 digest) external {
        approved = digest;
    }

    function isValidSignature(bytes32 digest, bytes memory) external view returns (bytes4) {
        return digest == approved ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// @dev The digests are built here from the EIP-712 text alone, as a wallet would.
contract SignaturesTest is Base {
    bytes32 private constant TERMS = keccak256(
        "Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)"
    );
    bytes32 private constant TOKEN_CAP = keccak256(
        "TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)"
    );
    bytes32 private constant SET_MANDATE = keccak256(
        "SetMandate(uint256 agentId,Terms terms,TokenCap[] caps,address[] allow,address[] deny,uint32 epoch,uint256 nonce,uint48 deadline)Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)"
    );
    uint48 private constant DEADLINE = START + 600;

    function setUp() public {
        deployWithParties();
    }

    function domain(address contractAddress, uint256 chainId) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("SafeHandshakeSpendPolicy"),
                keccak256("1"),
                chainId,
                contractAddress
            )
        );
    }

    function digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain(address(policy), block.chainid), structHash));
    }

    function grantHash(uint256 id, address key, uint32 epoch, uint256 nonce) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "GrantKey(uint256 agentId,address key,uint48 validUntil,uint32 epoch,uint256 nonce,uint48 deadline)"
                ),
                id,
                key,
                FAR,
                epoch,
                nonce,
                DEADLINE
            )
        );
    }

    function badSignature(uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, id);
    }

    function test_the_owners_signature_sets_a_mandate_once() public {
        ISpendPolicy.Terms memory t = terms(BUY);
        ISpendPolicy.TokenCap[] memory c = caps(7e6, 8e6, 9e6, 10e6, 11e6, 12e6);
        address[] memory parties = one(SHOP);
        bytes32[] memory hashes = new bytes32[](1);
        hashes[0] = keccak256(abi.encode(TOKEN_CAP, c[0]));
        bytes32 content = keccak256(
            abi.encode(
                SET_MANDATE,
                bob.id,
                keccak256(abi.encode(TERMS, t)),
                keccak256(abi.encodePacked(hashes)),
                keccak256(abi.encode(SHOP)),
                keccak256(""),
                uint32(1),
                uint256(0),
                DEADLINE
            )
        );
        bytes memory signature = sign(bob.ownerPk, digest(content));
        c[0].perDeal = 8e6;
        vm.expectRevert(badSignature(bob.id));
        policy.setMandateBySig(bob.id, t, c, parties, none(), DEADLINE, signature);
        c[0].perDeal = 7e6;
        vm.expectRevert(badSignature(bob.id));
        policy.setMandateBySig(bob.id, t, c, none(), parties, DEADLINE, signature);
        policy.setMandateBySig(bob.id, t, c, parties, none(), DEADLINE, signature);
        require(policy.capOf(bob.id, address(usdc)).perDeal == 7e6 && policy.nonces(bob.id) == 1, "set");
        require(policy.capOf(bob.id, address(usdc)).minPrice == 12e6, "every cap");
        require(policy.listingOf(bob.id, SHOP) == Mandates.Listing.ALLOWED, "and the lists as they were signed");
        vm.expectRevert(badSignature(bob.id));
        policy.setMandateBySig(bob.id, t, c, parties, none(), DEADLINE, signature);
    }

    function test_the_owners_signature_grants_a_key_once() public {
        address key = address(0x1234);
        bytes memory signature = sign(bob.ownerPk, digest(grantHash(bob.id, key, 1, 0)));
        policy.grantKeyBySig(bob.id, key, FAR, DEADLINE, signature);
        require(policy.keyIsLive(bob.id, key), "granted");
        vm.prank(bob.owner);
        policy.revokeKey(bob.id, key);
        vm.expectRevert(badSignature(bob.id));
        policy.grantKeyBySig(bob.id, key, FAR, DEADLINE, signature);
    }

    function test_a_key_that_was_revoked_before_its_signed_grant_was_sent_never_comes_alive() public {
        address key = address(0x1234);
        bytes memory signature = sign(bob.ownerPk, digest(grantHash(bob.id, key, 1, 0)));
        vm.prank(GUARDIAN);
        policy.revokeKey(bob.id, key);
        vm.expectRevert(abi.encodeWithSelector(Mandates.KeyUsedBefore.selector, bob.id, key));
        policy.grantKeyBySig(bob.id, key, FAR, DEADLINE, signature);
        require(!policy.keyIsLive(bob.id, key), "revoked");
    }

    function test_what_an_owner_does_itself_voids_what_it_signed_before() public {
        bytes32 kind = keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)");
        bytes32 resume = keccak256(abi.encode(kind, bob.id, false, uint32(1), uint256(0), DEADLINE));
        bytes memory older = sign(bob.ownerPk, digest(resume));
        vm.prank(bob.owner);
        policy.setPaused(bob.id, true);
        vm.expectRevert(badSignature(bob.id));
        policy.setPausedBySig(bob.id, false, DEADLINE, older);

        older = sign(bob.ownerPk, digest(grantHash(bob.id, address(0x1234), 1, 1)));
        vm.prank(bob.owner);
        policy.grantKey(bob.id, address(0x5678), FAR);
        vm.expectRevert(badSignature(bob.id));
        policy.grantKeyBySig(bob.id, address(0x1234), FAR, DEADLINE, older);
        require(policy.mandates(bob.id).pausedByOwner && policy.nonces(bob.id) == 2, "the newest word stands");
    }

    function test_listing_an_agent_voids_a_resumption_of_it_that_was_signed_before() public {
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        bytes32 kind = keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)");
        bytes memory rest = abi.encode(nft.epochOf(bob.id), policy.nonces(bob.id), DEADLINE);
        bytes memory older = sign(alice.ownerPk, digest(keccak256(bytes.concat(abi.encode(kind, bob.id, false), rest))));
        vm.prank(alice.owner);
        policy.list(lotOf(alice, address(nft), bob.id, 1));
        vm.expectRevert(badSignature(bob.id));
        policy.setPausedBySig(bob.id, false, DEADLINE, older);
        require(policy.mandates(bob.id).pausedByOwner, "its keys stay still");
    }

    function test_the_guardians_stop_leaves_the_owners_signatures_as_they_are() public {
        bytes memory signature = sign(bob.ownerPk, digest(grantHash(bob.id, address(0x1234), 1, 0)));
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        policy.grantKeyBySig(bob.id, address(0x1234), FAR, DEADLINE, signature);
    }

    function test_the_owners_signature_pauses_and_resumes() public {
        bytes32 kind = keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)");
        bytes32 pause = keccak256(abi.encode(kind, bob.id, true, uint32(1), uint256(0), DEADLINE));
        policy.setPausedBySig(bob.id, true, DEADLINE, sign(bob.ownerPk, digest(pause)));
        require(policy.mandates(bob.id).pausedByOwner, "paused");
        bytes32 resume = keccak256(abi.encode(kind, bob.id, false, uint32(1), uint256(1), DEADLINE));
        bytes memory byKey = sign(bob.keyPk, digest(resume));
        vm.expectRevert(badSignature(bob.id));
        policy.setPausedBySig(bob.id, false, DEADLINE, byKey);
        policy.setPausedBySig(bob.id, false, DEADLINE, sign(bob.ownerPk, digest(resume)));
        require(!policy.mandates(bob.id).pausedByOwner, "resumed");
    }

    function test_a_signature_has_its_deadline() public {
        bytes memory signature = sign(bob.ownerPk, digest(grantHash(bob.id, SHOP, 1, 0)));
        vm.warp(DEADLINE + 1);
        vm.expectRevert(abi.encodeWithSelector(Mandates.SignatureExpired.selector, DEADLINE));
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, signature);
        vm.warp(DEADLINE);
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, signature);
    }

    function test_a_signature_is_for_one_agent_chain_and_contract() public {
        bytes memory signature = sign(bob.ownerPk, digest(grantHash(bob.id, SHOP, 1, 0)));
        vm.expectRevert(badSignature(alice.id));
        policy.grantKeyBySig(alice.id, SHOP, FAR, DEADLINE, signature);

        bytes32 elsewhere = keccak256(
            abi.encodePacked("\x19\x01", domain(address(policy), block.chainid + 1), grantHash(bob.id, SHOP, 1, 0))
        );
        bytes memory foreign = sign(bob.ownerPk, elsewhere);
        vm.expectRevert(badSignature(bob.id));
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, foreign);

        vm.chainId(block.chainid + 1);
        vm.expectRevert(badSignature(bob.id));
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, signature);
        // On that chain the foreign one would be good: the domain follows the chain.
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, foreign);
    }

    function test_a_signature_of_a_former_owner_is_dead_even_after_the_agent_came_back() public {
        bytes memory signature = sign(bob.ownerPk, digest(grantHash(bob.id, SHOP, 1, 0)));
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        vm.expectRevert(badSignature(bob.id));
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, signature);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, bob.owner, bob.id);
        vm.expectRevert(badSignature(bob.id));
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, signature);
    }

    function test_a_contract_wallet_signs_by_erc1271() public {
        Wallet wallet = new Wallet();
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, address(wallet), bob.id);
        vm.expectRevert(badSignature(bob.id));
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, "");
        wallet.approve(digest(grantHash(bob.id, SHOP, 2, 0)));
        policy.grantKeyBySig(bob.id, SHOP, FAR, DEADLINE, "");
        require(policy.keyIsLive(bob.id, SHOP), "granted");
    }

    function test_no_signature_is_that_of_nobody() public view {
        OwnerWords reader = OwnerWords(vm.computeCreateAddress(address(policy), 1));
        require(!reader.isSigned(address(0), keccak256("words"), ""), "no bytes");
        require(!reader.isSigned(address(0), keccak256("words"), new bytes(65)), "nor any others");
    }

    function test_nobody_signs_for_an_agent_that_was_never_minted() public {
        vm.expectRevert(abi.encodeWithSignature("ERC721NonexistentToken(uint256)", 999));
        policy.grantKeyBySig(999, SHOP, FAR, DEADLINE, new bytes(65));
    }
}
