// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Certificates} from "../../Certificates.sol";
import {Managed} from "../../access/Managed.sol";
import {Roles} from "../../access/Roles.sol";
import {Settlement} from "../../Settlement.sol";
import {IAgentNFT} from "../../interfaces/IAgentNFT.sol";
import {Base} from "../Base.sol";
import {Wallet} from "../agents/Signatures.t.sol";

contract CertificatesTest is Base {
    string private constant VIN = "serial:vin:1HGCM82633A004352";
    bytes32 private constant VIN_HASH = keccak256(bytes(VIN));
    address private constant ISSUER = address(0x155);
    address private constant CAROL = address(0xCA401);
    uint256 private constant DEADLINE = START + 600;


    function setUp() public {
        deployWithParties();
        certificates = new Certificates(allTo(ISSUER), IAgentNFT(nft), address(settlement));
    }

    function issue(address to, bool approve) private returns (uint256) {
        return issue(to, VIN, approve);
    }

    function issue(address to, string memory serial, bool approve) private returns (uint256) {
        vm.prank(ISSUER);
        return certificates.issue(to, serial, approve);
    }

    function refuse(bytes memory refusal) private {
        vm.expectRevert(refusal);
    }

    /// @dev Built from the EIP-712 text alone, as a wallet would.
    function digest(uint256 tokenId, address from, address to, uint256 nonce, uint256 deadline)
        private
        view
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("SafeHandshakeCertificates"),
                keccak256("1"),
                block.chainid,
                address(certificates)
            )
        );
        bytes32 content = keccak256(
            abi.encode(
                keccak256("Transfer(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)"),
                tokenId,
                from,
                to,
                nonce,
                deadline
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, content));
    }

    function signed(uint256 pk, uint256 tokenId, address to) private view returns (bytes memory) {
        address from = certificates.ownerOf(tokenId);
        return sign(pk, digest(tokenId, from, to, certificates.nonces(tokenId), DEADLINE));
    }

    // Issue

    function test_a_certificate_stands_for_its_serial_under_the_number_known_before() public {
        uint256 expected = certificates.nextCertificateOf(VIN_HASH);
        uint256 id = issue(address(alice.account), false);
        assert(id == expected && id != 0);
        assert(certificates.ownerOf(id) == address(alice.account));
        assert(certificates.certificateOf(VIN_HASH) == id);
        assert(keccak256(bytes(certificates.serialOf(id))) == VIN_HASH);
        assert(certificates.getApproved(id) == address(0));
    }

    function test_a_serial_has_one_live_certificate_and_the_refusal_names_it() public {
        uint256 id = issue(alice.owner, false);
        vm.prank(ISSUER);
        refuse(abi.encodeWithSelector(Certificates.SerialCertified.selector, VIN_HASH, id));
        certificates.issue(bob.owner, VIN, false);
    }

    function test_only_an_issuer_certifies() public {
        refuse(abi.encodeWithSelector(Managed.NotInRole.selector, Roles.ISSUER, address(this)));
        certificates.issue(alice.owner, VIN, false);
    }

    function test_a_serial_that_is_empty_or_endless_is_refused() public {
        vm.prank(ISSUER);
        refuse(abi.encodeWithSelector(Certificates.SerialLength.selector, 0));
        certificates.issue(alice.owner, "", false);
        vm.prank(ISSUER);
        refuse(abi.encodeWithSelector(Certificates.SerialLength.selector, 129));
        certificates.issue(alice.owner, string(new bytes(129)), false);
        assert(issue(alice.owner, string(new bytes(128)), false) != 0);
    }

    function test_the_settlement_is_approved_where_asked_and_no_longer_than_to_the_first_transfer() public {
        uint256 id = issue(alice.owner, true);
        assert(certificates.getApproved(id) == address(settlement));
        vm.prank(alice.owner);
        certificates.transferFrom(alice.owner, CAROL, id);
        assert(certificates.getApproved(id) == address(0));
    }

    function test_the_metadata_stands_below_the_base_that_an_issuer_sets() public {
        uint256 id = issue(alice.owner, false);
        assert(bytes(certificates.tokenURI(id)).length == 0);
        vm.prank(ISSUER);
        certificates.setBaseURI("https://safehandshake.test/");
        assert(bytes(certificates.tokenURI(id)).length > bytes("https://safehandshake.test/").length);
        refuse(abi.encodeWithSelector(Managed.NotInRole.selector, Roles.ISSUER, address(this)));
        certificates.setBaseURI("https://elsewhere.test/");
    }

    function test_its_interfaces_are_told() public view {
        assert(certificates.supportsInterface(0x80ac58cd)); // ERC-721
        assert(certificates.supportsInterface(0x5b5e139f)); // its metadata
        assert(certificates.supportsInterface(0x49064906)); // ERC-4906
        assert(!certificates.supportsInterface(0xffffffff));
    }

    // End

    function test_a_holder_retires_it_and_the_serial_is_certified_again_under_another_number() public {
        uint256 id = issue(alice.owner, true);
        vm.expectEmit(address(certificates));
        emit Certificates.CertificateRetired(id, VIN_HASH, alice.owner, "lost");
        vm.prank(alice.owner);
        certificates.retire(id, "lost");
        assert(certificates.certificateOf(VIN_HASH) == 0);
        uint256 next = issue(bob.owner, false);
        assert(next != id && certificates.certificateOf(VIN_HASH) == next);
        assert(certificates.issuedOf(VIN_HASH) == 2);
        // What it stood for is still told; it is nobody's.
        assert(keccak256(bytes(certificates.serialOf(id))) == VIN_HASH);
        refuse(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id));
        certificates.ownerOf(id);
    }

    function test_the_owner_of_an_agent_retires_what_its_account_holds() public {
        uint256 id = issue(address(alice.account), false);
        vm.prank(alice.owner);
        certificates.retire(id, "");
        assert(certificates.certificateOf(VIN_HASH) == 0);
    }

    function test_an_account_retires_what_it_holds_by_its_owners_door() public {
        uint256 id = issue(address(bob.account), false);
        vm.prank(bob.owner);
        bob.account.execute(address(certificates), 0, abi.encodeCall(certificates.retire, (id, "")), 0);
        require(certificates.certificateOf(VIN_HASH) == 0, "ended");
    }

    function test_an_issuer_who_holds_it_retires_it_like_any_holder() public {
        uint256 id = issue(ISSUER, false);
        vm.prank(ISSUER);
        certificates.retire(id, "");
        require(!certificates.isVoid(id) && certificates.balanceOf(ISSUER) == 0, "burnt, not void");
    }

    function test_what_leaves_is_counted_of_accounts_and_of_no_wallet() public {
        uint256 id = issue(CAROL, false);
        vm.prank(CAROL);
        certificates.transferFrom(CAROL, address(bob.account), id);
        vm.prank(bob.owner);
        certificates.retire(id, "");
        require(certificates.departuresOf(CAROL) == 0 && certificates.departuresOf(address(0)) == 0, "no wallet");
        require(certificates.departuresOf(address(bob.account)) == 1, "an account");
    }

    function test_an_issuer_marks_it_void_for_a_reason_only() public {
        uint256 id = issue(alice.owner, false);
        vm.prank(ISSUER);
        refuse(abi.encodeWithSelector(Certificates.ReasonMissing.selector, id));
        certificates.retire(id, "");
        vm.prank(ISSUER);
        certificates.retire(id, "reported stolen");
        assert(certificates.certificateOf(VIN_HASH) == 0);
        assert(certificates.isVoid(id) && certificates.ownerOf(id) == alice.owner);
        vm.prank(ISSUER);
        refuse(abi.encodeWithSelector(Certificates.CertificateIsVoid.selector, id));
        certificates.retire(id, "again");
    }

    function test_a_void_certificate_goes_nowhere_and_leaves_its_serial_to_the_next() public {
        uint256 id = issue(alice.owner, true);
        vm.prank(ISSUER);
        certificates.retire(id, "certified in error");
        uint256 next = issue(bob.owner, false);
        bytes memory refusal = abi.encodeWithSelector(Certificates.CertificateIsVoid.selector, id);
        vm.prank(alice.owner);
        refuse(refusal);
        certificates.transferFrom(alice.owner, CAROL, id);
        bytes memory signature = signed(alice.ownerPk, id, CAROL);
        refuse(refusal);
        certificates.transferBySig(id, CAROL, DEADLINE, signature);
        vm.prank(alice.owner);
        certificates.retire(id, "");
        assert(certificates.certificateOf(VIN_HASH) == next);
    }

    function test_nobody_else_retires_it() public {
        uint256 id = issue(address(alice.account), false);
        address[3] memory others = [CAROL, bob.owner, alice.key];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            refuse(abi.encodeWithSelector(Certificates.NotController.selector, id, others[i]));
            certificates.retire(id, "a reason");
        }
    }

    function test_what_was_never_issued_stands_for_nothing() public {
        refuse(abi.encodeWithSelector(Certificates.NoCertificate.selector, 7));
        certificates.serialOf(7);
        refuse(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 7));
        certificates.retire(7, "a reason");
    }

    // Who controls it

    function test_an_agents_owner_controls_what_its_account_holds_through_every_agent() public {
        uint256 id = issue(address(alice.account), false);
        assert(certificates.controllerOf(id) == alice.owner);
        enter(alice, bob);
        assert(certificates.controllerOf(id) == bob.owner);
    }

    function test_an_account_that_only_looks_like_an_agents_controls_itself() public {
        // The same bytes at another address: the agents' token does not know it.
        address liar = address(0x11A2);
        vm.etch(liar, address(alice.account).code);
        uint256 id = issue(liar, false);
        assert(certificates.controllerOf(id) == liar);
    }

    // Transfer by signature

    function test_a_holders_signature_moves_it_once() public {
        uint256 id = issue(alice.owner, false);
        bytes memory signature = signed(alice.ownerPk, id, CAROL);
        certificates.transferBySig(id, CAROL, DEADLINE, signature);
        assert(certificates.ownerOf(id) == CAROL);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, CAROL));
        certificates.transferBySig(id, CAROL, DEADLINE, signature);
    }

    function test_a_signature_does_not_come_back_with_its_holder() public {
        uint256 id = issue(alice.owner, false);
        bytes memory signature = signed(alice.ownerPk, id, CAROL);
        vm.prank(alice.owner);
        certificates.transferFrom(alice.owner, bob.owner, id);
        vm.prank(bob.owner);
        certificates.transferFrom(bob.owner, alice.owner, id);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, alice.owner));
        certificates.transferBySig(id, CAROL, DEADLINE, signature);
    }

    function test_an_agents_owner_signs_for_its_account_until_the_agent_is_sold() public {
        uint256 id = issue(address(alice.account), false);
        bytes memory signature = signed(alice.ownerPk, id, CAROL);
        bytes memory byKey = signed(alice.keyPk, id, CAROL);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, alice.owner));
        certificates.transferBySig(id, CAROL, DEADLINE, byKey);

        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, bob.owner, alice.id);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, bob.owner));
        certificates.transferBySig(id, CAROL, DEADLINE, signature);

        certificates.transferBySig(id, CAROL, DEADLINE, signed(bob.ownerPk, id, CAROL));
        assert(certificates.ownerOf(id) == CAROL);
    }

    function test_a_contract_wallet_signs_by_its_own_rules() public {
        Wallet wallet = new Wallet();
        uint256 id = issue(address(wallet), false);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, address(wallet)));
        certificates.transferBySig(id, CAROL, DEADLINE, "yes");
        wallet.approve(digest(id, address(wallet), CAROL, certificates.nonces(id), DEADLINE));
        certificates.transferBySig(id, CAROL, DEADLINE, "yes");
        assert(certificates.ownerOf(id) == CAROL);
    }

    function test_a_signature_is_bound_to_receiver_token_and_deadline() public {
        uint256 id = issue(alice.owner, false);
        uint256 other = issue(alice.owner, "serial:imei:490154203237518", false);
        bytes memory signature = signed(alice.ownerPk, id, CAROL);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, alice.owner));
        certificates.transferBySig(id, bob.owner, DEADLINE, signature);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, other, alice.owner));
        certificates.transferBySig(other, CAROL, DEADLINE, signature);
        refuse(abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, alice.owner));
        certificates.transferBySig(id, CAROL, DEADLINE + 1, signature);
        vm.warp(DEADLINE + 1);
        refuse(abi.encodeWithSelector(Certificates.TransferExpired.selector, id, DEADLINE));
        certificates.transferBySig(id, CAROL, DEADLINE, signature);
    }

    // Every sequence

    /// @dev Issues, ends and transfers at random: a serial never has two, and what is told of it is true throughout.
    function testFuzz_a_serial_has_at_most_one_live_certificate_in_every_sequence(uint256 seed) public {
        uint256[] memory known = new uint256[](40);
        uint256 count;
        for (uint256 step; step < 40; ++step) {
            seed = uint256(keccak256(abi.encode(seed)));
            string memory serial = string.concat("serial:generic:AB", (seed & 1) == 0 ? "1" : "2");
            bytes32 serialHash = keccak256(bytes(serial));
            uint256 live = certificates.certificateOf(serialHash);
            uint256 act = (seed >> 8) % 4;
            if (act <= 1) {
                vm.prank(ISSUER);
                if (live != 0) refuse(abi.encodeWithSelector(Certificates.SerialCertified.selector, serialHash, live));
                uint256 id = certificates.issue(act == 0 ? alice.owner : bob.owner, serial, seed & 2 == 0);
                if (live == 0) known[count++] = id;
            } else if (live != 0 && act == 2) {
                vm.prank(certificates.ownerOf(live));
                certificates.retire(live, "");
            } else if (live != 0) {
                uint256 pk = certificates.ownerOf(live) == alice.owner ? alice.ownerPk : bob.ownerPk;
                address to = pk == alice.ownerPk ? bob.owner : alice.owner;
                certificates.transferBySig(live, to, DEADLINE, signed(pk, live, to));
            }
            assertOneLive(known, count);
        }
    }

    function assertOneLive(uint256[] memory known, uint256 count) private view {
        uint256 held = certificates.balanceOf(alice.owner) + certificates.balanceOf(bob.owner);
        uint256 live;
        for (uint256 i; i < count; ++i) {
            bytes32 serialHash = keccak256(bytes(certificates.serialOf(known[i])));
            if (certificates.certificateOf(serialHash) == known[i]) ++live;
            for (uint256 j; j < i; ++j) assert(known[i] != known[j]);
        }
        assert(held == live && live <= 2);
    }
}
