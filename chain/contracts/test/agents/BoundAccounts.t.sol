// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {AgentAccount} from "../../AgentAccount.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Base} from "../Base.sol";
import {CallbackToken} from "../Tokens.sol";

/// @dev An account whose owner has bound it to another policy, which may no more than the first one, and how it turns.
contract BoundAccountsTest is Base {
    bytes4 private constant REENTRANT = bytes4(keccak256("ReentrancyGuardReentrantCall()"));
    SpendPolicy private newer;

    function setUp() public {
        deployWithParties();
        newer = new SpendPolicy(address(this), address(manager));
        newer.bind(nft, address(settlement), address(certificates));
        nft.admitPolicy(newer);
    }

    function turn() private {
        vm.prank(bob.owner);
        nft.bindPolicy(bob.id, newer);
        require(address(bob.account.policy()) == address(newer), "turned");
    }

    function test_the_policy_that_an_account_is_bound_to_is_not_its_owner() public {
        turn();
        vm.startPrank(address(newer));
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAccountOwner.selector, address(newer)));
        bob.account.execute(address(usdc), 0, abi.encodeCall(usdc.transfer, (SHOP, 1e6)), 0);
        vm.stopPrank();
        require(bob.account.isValidSigner(address(newer), "") == 0, "nor signs for it");
    }

    function test_the_policy_that_an_account_is_bound_to_turns_it_to_no_other() public {
        turn();
        vm.prank(address(newer));
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAgentToken.selector, address(newer)));
        bob.account.bindPolicy(policy);
    }

    function test_the_policy_that_an_account_is_bound_to_is_not_the_agents_token() public {
        turn();
        vm.prank(address(newer));
        bytes4 taken = bob.account.onERC721Received(SHOP, SHOP, bob.id, "");
        require(taken == IERC721Receiver.onERC721Received.selector, "another collection's token of the same number");
    }

    function test_the_agents_token_of_another_chain_turns_no_account() public {
        vm.chainId(block.chainid + 1);
        vm.prank(address(nft));
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAgentToken.selector, address(nft)));
        bob.account.bindPolicy(newer);
    }

    function test_an_account_tells_which_policy_it_turned_to() public {
        vm.expectEmit(address(bob.account));
        emit AgentAccount.PolicyBound(address(newer));
        turn();
    }

    function test_no_owner_turns_an_account_while_it_pays() public {
        // The owner is the very contract that is called in the middle of the payment.
        CallbackToken token = new CallbackToken();
        token.mint(address(bob.account), 100);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, address(token), bob.id);
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](1);
        c[0] = ISpendPolicy.TokenCap(address(token), 100, 0, 0, 0, 0, 0);
        vm.startPrank(address(token));
        policy.setMandate(bob.id, terms(BUY), c, none(), none());
        policy.grantKey(bob.id, GUARDIAN, FAR);
        vm.stopPrank();
        bytes memory turning = abi.encodeCall(nft.bindPolicy, (bob.id, newer));
        token.arm(address(nft), turning);
        vm.prank(GUARDIAN);
        bob.account.spend(address(token), SHOP, 1, "");
        require(!token.succeeded() && bytes4(token.answer()) == REENTRANT, "refused by the guard");
        require(token.balanceOf(SHOP) == 1 && bob.account.policy() == policy, "paid under the policy that booked it");
        token.run(address(nft), turning);
        require(address(bob.account.policy()) == address(newer), "and good at any other time");
    }
}
