// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {IERC8004Identity} from "../../interfaces/IERC8004Identity.sol";
import {Base} from "../Base.sol";
import {Vm} from "../Vm.sol";

/// @dev What the reputation registry of ERC-8004 asks of an identity registry before it takes a word about an agent.
contract Opinions {
    IERC8004Identity private immutable _identity;
    mapping(uint256 agentId => mapping(address client => int128[])) public opinions;

    constructor(IERC8004Identity identity) {
        _identity = identity;
    }

    function giveFeedback(uint256 agentId, int128 value) external {
        require(!_identity.isAuthorizedOrOwner(msg.sender, agentId), "Self-feedback not allowed");
        opinions[agentId][msg.sender].push(value);
    }
}

/// @dev What the validation registry of ERC-8004 asks before it takes a request on behalf of an agent.
contract Validations {
    IERC721 private immutable _identity;
    mapping(bytes32 requestHash => uint256) public agentOf;

    constructor(IERC721 identity) {
        _identity = identity;
    }

    function validationRequest(uint256 agentId, bytes32 requestHash) external {
        address owner = _identity.ownerOf(agentId);
        require(
            msg.sender == owner || _identity.isApprovedForAll(owner, msg.sender)
                || _identity.getApproved(agentId) == msg.sender,
            "Not authorized"
        );
        agentOf[requestHash] = agentId;
    }
}

/// @dev An agent as ERC-8004 and ERC-4906 read it.
contract IdentityTest is Base {
    event MetadataUpdate(uint256 _tokenId);
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    address private constant OPERATOR = address(0x0BE);
    address private constant APPROVED = address(0xA99);
    address private constant STRANGER = address(0x57);

    function setUp() public {
        deployWithParties();
        vm.startPrank(bob.owner);
        nft.setApprovalForAll(OPERATOR, true);
        nft.approve(APPROVED, bob.id);
        vm.stopPrank();
    }

    function place() private view returns (bytes memory) {
        return bytes(string.concat("https://safehandshake.test/metadata/1002/", Strings.toString(bob.id)));
    }

    function same(bytes memory a, bytes memory b) private pure {
        require(keccak256(a) == keccak256(b), "not the same");
    }

    function uri(uint256 id) private view returns (bytes memory) {
        return bytes(nft.tokenURI(id));
    }

    function nobody(uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
    }

    function refused(address who, uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", who, id);
    }

    // The wallet

    function test_a_mint_registers_the_agent_with_its_account_as_wallet() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(1));
        uint256 id = nft.idOf(o.paymentRef);
        address account = nft.REGISTRY().account(address(implementation), 0, block.chainid, address(nft), id);
        vm.expectEmit(address(nft));
        emit IERC8004Identity.Registered(
            id, string.concat("https://safehandshake.test/metadata/1002/", Strings.toString(id)), bob.owner
        );
        vm.expectEmit(address(nft));
        emit IERC8004Identity.MetadataSet(id, "agentWallet", "agentWallet", abi.encodePacked(account));
        nft.mint(o);
        require(nft.getAgentWallet(id) == account, "wallet");
        same(nft.getMetadata(id, "agentWallet"), abi.encodePacked(account));
        o = order(bob.owner, bob.key, terms(BUY), caps(1));
        o.uri = "ipfs://four";
        vm.expectEmit(address(nft));
        emit IERC8004Identity.Registered(nft.idOf(o.paymentRef), "ipfs://four", bob.owner);
        nft.mint(o);
        same(uri(nft.idOf(o.paymentRef)), "ipfs://four");
    }

    function test_the_wallet_goes_with_the_agent() public {
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, STRANGER, bob.id);
        require(nft.getAgentWallet(bob.id) == address(bob.account), "wallet");
        same(nft.getMetadata(bob.id, "agentWallet"), abi.encodePacked(bob.account));
    }

    function test_the_wallet_cannot_be_set_to_anything() public {
        vm.startPrank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.WalletIsAccount.selector, bob.id));
        nft.setMetadata(bob.id, "agentWallet", abi.encodePacked(bob.owner));
        nft.setMetadata(bob.id, "agentWallet ", "no such key");
        require(nft.getAgentWallet(bob.id) == address(bob.account), "wallet");
    }

    function test_an_agent_never_minted_has_no_wallet_and_no_metadata() public {
        require(nft.getAgentWallet(99) == address(0), "wallet");
        same(nft.getMetadata(99, "agentWallet"), "");
        same(nft.getMetadata(99, "other"), "");
        vm.expectRevert(nobody(99));
        nft.isAuthorizedOrOwner(STRANGER, 99);
        vm.expectRevert(nobody(99));
        nft.tokenURI(99);
        vm.expectRevert(nobody(99));
        nft.setAgentURI(99, "ipfs://x");
        vm.expectRevert(nobody(99));
        nft.setMetadata(99, "key", "value");
    }

    // The registration file and metadata

    function test_metadata_is_written_by_the_owner_and_whom_the_owner_approved() public {
        address[3] memory writers = [bob.owner, OPERATOR, APPROVED];
        for (uint256 i; i < 3; ++i) {
            bytes memory value = abi.encode(i);
            vm.expectEmit(address(nft));
            emit IERC8004Identity.MetadataSet(bob.id, "key", "key", value);
            vm.prank(writers[i]);
            nft.setMetadata(bob.id, "key", value);
            same(nft.getMetadata(bob.id, "key"), value);
        }
        same(nft.getMetadata(alice.id, "key"), "");
        same(nft.getMetadata(bob.id, "other"), "");
        address[2] memory others = [STRANGER, address(bob.account)];
        for (uint256 i; i < 2; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(refused(others[i], bob.id));
            nft.setMetadata(bob.id, "key", "mine");
        }
    }

    function test_the_owner_points_to_another_file_and_back() public {
        same(uri(bob.id), place());
        address[3] memory writers = [bob.owner, OPERATOR, APPROVED];
        string[3] memory files = ["ipfs://new", "x", ""];
        bytes[3] memory shown = [bytes("ipfs://new"), "x", place()];
        for (uint256 i; i < 3; ++i) {
            vm.expectEmit(address(nft));
            emit IERC8004Identity.URIUpdated(bob.id, files[i], writers[i]);
            vm.expectEmit(address(nft));
            emit MetadataUpdate(bob.id);
            vm.prank(writers[i]);
            nft.setAgentURI(bob.id, files[i]);
            same(uri(bob.id), shown[i]);
        }
        address[2] memory others = [STRANGER, bob.key];
        for (uint256 i; i < 2; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(refused(others[i], bob.id));
            nft.setAgentURI(bob.id, "ipfs://mine");
        }
    }

    function test_the_minter_moves_the_place_of_all_files_but_those_that_owners_set() public {
        vm.prank(bob.owner);
        nft.setAgentURI(bob.id, "ipfs://bob");
        vm.expectEmit(address(nft));
        emit BatchMetadataUpdate(0, type(uint256).max);
        nft.setBaseURI("https://elsewhere.test/");
        same(uri(alice.id), bytes(string.concat("https://elsewhere.test/", Strings.toString(alice.id))));
        same(uri(bob.id), "ipfs://bob");
        same(bytes(nft.baseURI()), "https://elsewhere.test/");
        nft.setBaseURI("");
        same(uri(alice.id), "");
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSignature("NotInRole(uint64,address)", 1, alice.owner));
        nft.setBaseURI("https://mine.test/");
    }

    function test_a_transfer_tells_that_the_metadata_changed() public {
        vm.expectEmit(address(nft));
        emit MetadataUpdate(bob.id);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, STRANGER, bob.id);
    }

    function test_a_mint_tells_of_no_change() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(1));
        vm.recordLogs();
        nft.mint(o);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs.length != 0, "told");
        for (uint256 i; i < logs.length; ++i) {
            require(logs[i].topics[0] != MetadataUpdate.selector, "a change");
        }
    }

    function test_the_interfaces_are_named() public view {
        require(nft.supportsInterface(0x49064906), "ERC-4906");
        require(nft.supportsInterface(0x80ac58cd) && nft.supportsInterface(0x5b5e139f), "ERC-721 with metadata");
        require(nft.supportsInterface(0x01ffc9a7) && !nft.supportsInterface(0xffffffff), "ERC-165");
    }

    // What the other two registries ask

    function test_a_stranger_may_judge_an_agent_and_it_may_not_judge_itself() public {
        Opinions reputation = new Opinions(nft);
        vm.prank(STRANGER);
        reputation.giveFeedback(bob.id, 87);
        vm.prank(address(alice.account));
        reputation.giveFeedback(bob.id, -3);
        require(reputation.opinions(bob.id, STRANGER, 0) == 87, "kept");
        address[4] memory selves = [bob.owner, OPERATOR, APPROVED, address(bob.account)];
        for (uint256 i; i < 4; ++i) {
            vm.prank(selves[i]);
            vm.expectRevert(bytes("Self-feedback not allowed"));
            reputation.giveFeedback(bob.id, 100);
        }
        vm.expectRevert(nobody(99));
        reputation.giveFeedback(99, 1);
    }

    function test_who_sold_an_agent_may_judge_it_and_who_bought_it_may_not() public {
        Opinions reputation = new Opinions(nft);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, STRANGER, bob.id);
        vm.prank(bob.owner);
        reputation.giveFeedback(bob.id, 1);
        vm.prank(STRANGER);
        vm.expectRevert(bytes("Self-feedback not allowed"));
        reputation.giveFeedback(bob.id, 1);
    }

    function test_only_those_who_act_for_an_agent_ask_for_its_validation() public {
        Validations validation = new Validations(nft);
        address[3] memory askers = [bob.owner, OPERATOR, APPROVED];
        for (uint256 i; i < 3; ++i) {
            vm.prank(askers[i]);
            validation.validationRequest(bob.id, bytes32(i));
            require(validation.agentOf(bytes32(i)) == bob.id, "asked");
        }
        address[3] memory others = [STRANGER, address(bob.account), bob.key];
        for (uint256 i; i < 3; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(bytes("Not authorized"));
            validation.validationRequest(bob.id, "request");
        }
    }
}
