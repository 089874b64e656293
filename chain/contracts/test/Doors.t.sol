// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentAccount} from "../AgentAccount.sol";
import {Settlement} from "../Settlement.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";
import {CallbackToken, TrickAsset} from "./Tokens.sol";

/// @dev One door at a time, what may be received, and whose account it is where that is in doubt.
contract DoorsTest is Base {
    bytes4 private constant REENTRANT = bytes4(keccak256("ReentrancyGuardReentrantCall()"));

    function setUp() public {
        deployWithParties();
    }

    /// @dev A token that holds a session key of the agent and tries to pay itself while the account acts.
    function greedyToken(Party memory p) private returns (CallbackToken token) {
        token = new CallbackToken();
        token.mint(address(p.account), 100e6);
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](2);
        c[0] = caps(500e6)[0];
        c[1] = ISpendPolicy.TokenCap(address(token), 500e6, 0, 0, 0, 0, 0);
        setMandate(p, terms(BUY | SELL), c);
        vm.prank(p.owner);
        policy.grantKey(p.id, address(token), FAR);
        token.arm(address(p.account), abi.encodeCall(p.account.spend, (address(usdc), SHOP, 5e6, "inside")));
    }

    function test_no_key_acts_while_the_owner_does() public {
        CallbackToken token = greedyToken(bob);
        vm.prank(bob.owner);
        bob.account.execute(address(token), 0, abi.encodeCall(IERC20.transfer, (SHOP, 1)), 0);
        require(!token.succeeded() && bytes4(token.answer()) == REENTRANT, "refused by the guard");
        require(token.balanceOf(SHOP) == 1 && usdc.balanceOf(SHOP) == 0, "only what the owner sent");
    }

    function test_no_key_acts_while_a_deal_is_paid() public {
        CallbackToken token = greedyToken(bob);
        ISpendPolicy.TokenCap[] memory c = caps(500e6);
        c[0].token = address(token);
        setMandate(alice, terms(SELL), c);
        uint256 tokenId = assets.mint(address(alice.account));
        Settlement.Deal memory d = dealOver(address(assets), tokenId, 10e6);
        resell(d, address(token));
        settle(d);
        require(!token.succeeded() && bytes4(token.answer()) == REENTRANT, "refused by the guard");
        require(usdc.balanceOf(SHOP) == 0 && assets.ownerOf(tokenId) == address(bob.account), "the deal alone");
    }

    function test_no_key_acts_while_an_asset_is_handed_over() public {
        TrickAsset trick = new TrickAsset();
        trick.mint(address(alice.account), 1);
        vm.prank(alice.owner);
        policy.grantKey(alice.id, address(trick), FAR);
        trick.arm(address(alice.account), abi.encodeCall(alice.account.spend, (address(usdc), SHOP, 5e6, "inside")));
        settle(dealOver(address(trick), 1, 1e6));
        require(!trick.succeeded() && usdc.balanceOf(SHOP) == 0, "refused");
        trick.mint(SHOP, 2);
        vm.prank(SHOP);
        trick.transferFrom(SHOP, TREASURY, 2);
        require(trick.succeeded() && usdc.balanceOf(SHOP) == 5e6, "and good at any other time");
    }

    function test_a_call_of_four_bytes_is_looked_at_too() public {
        vm.startPrank(bob.owner);
        vm.expectRevert(
            abi.encodeWithSelector(AgentAccount.AllowanceForbidden.selector, address(usdc), IERC20.approve.selector)
        );
        bob.account.execute(address(usdc), 0, abi.encodePacked(IERC20.approve.selector), 0);
        bytes memory supply = bob.account.execute(address(usdc), 0, abi.encodePacked(IERC20.totalSupply.selector), 0);
        vm.stopPrank();
        require(abi.decode(supply, (uint256)) == 2_000e6, "answered");
    }

    function test_a_refusal_comes_back_byte_for_byte() public {
        bytes memory call = abi.encodeCall(IERC20.transfer, (SHOP, 1_001e6));
        vm.prank(bob.owner);
        (bool success, bytes memory answer) =
            address(bob.account).call(abi.encodeCall(bob.account.execute, (address(usdc), 0, call, 0)));
        bytes memory refusal = abi.encodeWithSignature("Error(string)", "ERC20: transfer amount exceeds balance");
        require(!success && keccak256(answer) == keccak256(refusal), "as the token said it");
    }

    function test_an_account_whose_owner_cannot_be_told_has_none() public {
        require(accountOf(address(0xE0A), 1).owner() == address(0), "no contract");
        require(accountOf(address(nft), 999).owner() == address(0), "no such token");
        require(accountOf(address(usdc), 1).owner() == address(0), "no collection");
        require(accountOf(address(nft), 999).isValidSigner(address(0), "") == 0, "nobody signs for it");
    }

    function accountOf(address collection, uint256 id) private returns (AgentAccount) {
        return AgentAccount(
            payable(nft.REGISTRY().createAccount(address(implementation), 0, block.chainid, collection, id))
        );
    }

    function test_the_account_takes_any_token_but_its_own() public {
        // The same number in another collection, and another number in its own.
        TrickAsset twin = new TrickAsset();
        twin.mint(bob.owner, bob.id);
        vm.startPrank(bob.owner);
        twin.safeTransferFrom(bob.owner, address(bob.account), bob.id);
        vm.stopPrank();
        vm.prank(alice.owner);
        nft.approve(bob.owner, alice.id);
        vm.prank(bob.owner);
        nft.safeTransferFrom(alice.owner, address(bob.account), alice.id);
        require(nft.ownerOf(alice.id) == address(bob.account), "an agent");

        vm.startPrank(address(nft));
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.SelfOwnership.selector));
        bob.account.onERC721Received(bob.owner, bob.owner, bob.id, "");
        vm.chainId(block.chainid + 1);
        require(bob.account.onERC721Received(bob.owner, bob.owner, bob.id, "") == 0x150b7a02, "another chain's twin");
        vm.stopPrank();
        require(bob.account.onERC1155Received(SHOP, SHOP, 1, 1, "") == 0xf23a6e61, "ERC-1155");
        uint256[] memory empty = new uint256[](0);
        require(bob.account.onERC1155BatchReceived(SHOP, SHOP, empty, empty, "") == 0xbc197c81, "and in batches");
        require(bob.account.supportsInterface(0x4e2312e0), "and says so");
        require(!bob.account.supportsInterface(0) && !bob.account.supportsInterface(0x12345678), "and no more");
    }
}
