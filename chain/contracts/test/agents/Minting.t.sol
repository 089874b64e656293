// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentNFT} from "../../AgentNFT.sol";
import {Mandates} from "../../Mandates.sol";
import {IERC6551Registry} from "../../interfaces/IERC6551.sol";
import {Base} from "../Base.sol";

/// @dev A collection whose answer about its owners is whatever it was told to answer, or a refusal with those words.
contract OddCollection {
    bytes private _answer;
    bool private _refuses;

    function say(bytes calldata answer, bool refuses) external {
        (_answer, _refuses) = (answer, refuses);
    }

    fallback() external {
        bytes memory answer = _answer;
        if (_refuses) {
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        assembly {
            return(add(answer, 0x20), mload(answer))
        }
    }
}

/// @dev What a mint carries over from its order, and what is asked of a chain of owners.
contract MintingTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function test_an_order_reaches_token_policy_and_lists() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(1));
        (o.uri, o.allow, o.deny) = ("ipfs://one", one(SHOP), one(TREASURY));
        o.tier = AgentNFT.Tier.EXECUTOR;
        (uint256 id, address account) = nft.mint(o);
        require(nft.accountOf(id) == account && account.code.length != 0, "account");
        require(nft.tierOf(id) == AgentNFT.Tier.EXECUTOR && nft.mintedAt(id) == START, "tier and time");
        require(keccak256(bytes(nft.tokenURI(id))) == keccak256("ipfs://one"), "uri");
        require(policy.listingOf(id, SHOP) == Mandates.Listing.ALLOWED, "allowed");
        require(policy.listingOf(id, TREASURY) == Mandates.Listing.DENIED, "denied");
        (uint32 epoch, uint48 validUntil) = policy.keys(id, bob.key);
        require(epoch == 1 && validUntil == o.keyValidUntil, "key");
    }

    function test_a_short_uri_is_kept() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(1));
        o.uri = "x";
        (uint256 id,) = nft.mint(o);
        require(keccak256(bytes(nft.tokenURI(id))) == keccak256("x"), "kept");
    }

    function test_the_admin_mints_nothing() public {
        address minter = bob.owner;
        AgentNFT other = new AgentNFT(allTo(minter), address(implementation), policy);
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(1));
        vm.expectRevert(abi.encodeWithSignature("NotInRole(uint64,address)", 1, address(this)));
        other.mint(o);
    }

    function test_a_collection_that_does_not_say_who_owns_is_followed_no_further() public {
        OddCollection odd = new OddCollection();
        address through = nft.REGISTRY().createAccount(address(0xD00D), 0, block.chainid, address(odd), 1);
        // Words that would read as the account of this very agent.
        bytes memory ring = abi.encode(address(alice.account));
        vm.startPrank(alice.owner);
        odd.say(ring, false);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.OwnershipCycle.selector, alice.id, through));
        nft.transferFrom(alice.owner, through, alice.id);
        odd.say(abi.encode(address(alice.account), 0), false);
        nft.transferFrom(alice.owner, through, alice.id);
        vm.stopPrank();
        odd.say(ring, true);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, through, bob.id);
        require(nft.ownerOf(alice.id) == through && nft.ownerOf(bob.id) == through, "moved");
    }
}
