// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Certificates} from "../../Certificates.sol";
import {IAgentNFT} from "../../interfaces/IAgentNFT.sol";
import {Base} from "../Base.sol";

/// @dev What certificates tell those who only read, the last second of a signature, and how far control is followed.
contract CertificateBoundsTest is Base {
    string private constant VIN = "serial:vin:1HGCM82633A004352";
    bytes32 private constant VIN_HASH = keccak256(bytes(VIN));
    address private constant CAROL = address(0xCA401);


    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    function setUp() public {
        deployWithParties();
        certificates = new Certificates(address(manager), IAgentNFT(nft), address(settlement));
    }

    function test_issue_end_and_place_are_told() public {
        uint256 id = certificates.nextCertificateOf(VIN_HASH);
        vm.expectEmit(address(certificates));
        emit Certificates.CertificateIssued(id, VIN_HASH, alice.owner, VIN, true);
        certificates.issue(alice.owner, VIN, true);
        vm.expectEmit(address(certificates));
        emit Certificates.CertificateVoided(id, VIN_HASH, address(this), "reported stolen");
        certificates.retire(id, "reported stolen");
        vm.expectEmit(address(certificates));
        emit BatchMetadataUpdate(0, type(uint256).max);
        certificates.setBaseURI("https://safehandshake.test/");
    }

    function test_a_signature_holds_in_the_second_of_its_deadline() public {
        uint256 id = certificates.issue(alice.owner, VIN, false);
        bytes32 typehash =
            keccak256("Transfer(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)");
        bytes32 content = keccak256(abi.encode(typehash, id, alice.owner, CAROL, certificates.nonces(id), START));
        (, string memory name, string memory version, uint256 chainId, address place,,) = certificates.eip712Domain();
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                place
            )
        );
        bytes memory signature = sign(alice.ownerPk, keccak256(abi.encodePacked("\x19\x01", domain, content)));
        vm.warp(START);
        certificates.transferBySig(id, CAROL, START, signature);
        assert(certificates.ownerOf(id) == CAROL);
    }

    /// @dev Each agent is held by the account of the next; the last one's owner controls all of it.
    function test_control_is_followed_through_seven_agents_and_no_more() public {
        uint256 id = certificates.issue(address(alice.account), VIN, false);
        Party memory below = alice;
        for (uint256 agents = 1; agents < 7; ++agents) {
            Party memory above = party(0xC000 + agents, terms(BUY), caps(1e6));
            enter(below, above);
            below = above;
        }
        assert(certificates.controllerOf(id) == below.owner);
        enter(below, bob);
        vm.expectRevert(abi.encodeWithSelector(Certificates.ControllerUnknown.selector, id));
        certificates.controllerOf(id);
        // An issuer need not find the end of the walk.
        certificates.retire(id, "reported stolen");
        assert(certificates.isVoid(id) && certificates.certificateOf(VIN_HASH) == 0);
        assert(certificates.issue(CAROL, VIN, false) != id);
    }
}
