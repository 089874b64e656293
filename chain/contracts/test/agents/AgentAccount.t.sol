// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentAccount} from "../../AgentAccount.sol";
import {Mandates} from "../../Mandates.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {IAgentAccount} from "../../interfaces/IAgentAccount.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Base} from "../Base.sol";
import {FalseToken, FeeToken, LyingToken, SilentToken, SurchargeToken} from "../Tokens.sol";

contract AgentAccountTest is Base {
    bytes4 private constant INVALID = 0xffffffff;

    function setUp() public {
        deployWithParties();
    }

    // The owner's door

    function test_the_owner_takes_everything_out_whatever_the_policy_says() public {
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        vm.etch(address(policy), hex"fe");
        vm.deal(address(bob.account), 1 ether);
        uint256 asset = assets.mint(address(bob.account));
        vm.startPrank(bob.owner);
        bob.account.execute(address(usdc), 0, abi.encodeCall(IERC20.transfer, (bob.owner, 1_000e6)), 0);
        bob.account
            .execute(
                address(assets), 0, abi.encodeCall(assets.transferFrom, (address(bob.account), bob.owner, asset)), 0
            );
        bob.account.execute(bob.owner, 1 ether, "", 0);
        vm.stopPrank();
        require(usdc.balanceOf(bob.owner) == 1_000e6 && assets.ownerOf(asset) == bob.owner, "out");
        require(bob.owner.balance == 1 ether, "ether out");
    }

    function test_nobody_else_passes_the_owners_door() public {
        bytes memory take = abi.encodeCall(IERC20.transfer, (alice.owner, 1));
        address[4] memory strangers = [bob.key, alice.owner, GUARDIAN, address(settlement)];
        for (uint256 i; i < 4; ++i) {
            vm.prank(strangers[i]);
            vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAccountOwner.selector, strangers[i]));
            bob.account.execute(address(usdc), 0, take, 0);
        }
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        vm.prank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAccountOwner.selector, bob.owner));
        bob.account.execute(address(usdc), 0, take, 0);
        vm.prank(alice.owner);
        bob.account.execute(address(usdc), 0, take, 0);
    }

    function test_no_standing_allowance_leaves_by_the_owners_door() public {
        string[12] memory grants = [
            "approve(address,uint256)",
            "approve(address)",
            "approve(address,uint256,uint256)",
            "approve(address,address,uint160,uint48)",
            "increaseAllowance(address,uint256)",
            "increaseApproval(address,uint256)",
            "setApprovalForAll(address,bool)",
            "setOperator(address,bool)",
            "authorizeOperator(address)",
            "approveAndCall(address,uint256)",
            "approveAndCall(address,uint256,bytes)",
            "multicall(bytes[])"
        ];
        vm.startPrank(bob.owner);
        for (uint256 i; i < grants.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(grants[i])));
            vm.expectRevert(abi.encodeWithSelector(AgentAccount.AllowanceForbidden.selector, address(usdc), selector));
            bob.account.execute(address(usdc), 0, abi.encodeWithSelector(selector, SHOP, 1), 0);
        }
        vm.stopPrank();
    }

    function test_the_owner_cannot_delegate_call_nor_have_the_account_call_itself() public {
        vm.startPrank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.OperationNotAllowed.selector, 1));
        bob.account.execute(address(usdc), 0, "", 1);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.SelfCall.selector));
        bob.account.execute(address(bob.account), 0, "", 0);
        vm.stopPrank();
    }

    function test_a_refusal_comes_back_word_for_word() public {
        vm.prank(bob.owner);
        vm.expectRevert(bytes("ERC20: transfer amount exceeds balance"));
        (bool success,) = address(bob.account)
            .call(
                abi.encodeCall(
                    bob.account.execute, (address(usdc), 0, abi.encodeCall(IERC20.transfer, (SHOP, 1_001e6)), 0)
                )
            );
        success;
    }

    function test_an_owner_reaches_an_agent_through_the_agent_that_owns_it() public {
        enter(bob, alice);
        bytes memory inner = abi.encodeCall(
            bob.account.execute, (address(usdc), 0, abi.encodeCall(IERC20.transfer, (alice.owner, 5e6)), 0)
        );
        vm.prank(alice.owner);
        alice.account.execute(address(bob.account), 0, inner, 0);
        require(usdc.balanceOf(alice.owner) == 5e6, "reached");
    }

    // The agent's door

    function test_a_spend_moves_books_and_tells() public {
        spend(bob, 30e6);
        require(usdc.balanceOf(SHOP) == 30e6 && usdc.balanceOf(address(bob.account)) == 970e6, "moved");
        require(policy.spentTotal(bob.id, address(usdc)) == 30e6 && bob.account.state() == 1, "booked");
    }

    function test_the_owner_is_not_a_session_key() public {
        vm.prank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.owner));
        bob.account.spend(address(usdc), SHOP, 1, "");
    }

    function test_more_than_the_account_holds_is_refused_and_not_booked() public {
        setMandate(bob, terms(BUY), caps(5_000e6));
        vm.prank(bob.key);
        vm.expectRevert(bytes("ERC20: transfer amount exceeds balance"));
        bob.account.spend(address(usdc), SHOP, 1_001e6, "");
        require(policy.spentTotal(bob.id, address(usdc)) == 0, "not booked");
    }

    function test_the_account_does_not_pay_itself() public {
        vm.prank(bob.key);
        vm.expectRevert(
            abi.encodeWithSelector(SpendPolicy.CounterpartyNotAllowed.selector, bob.id, address(bob.account))
        );
        bob.account.spend(address(usdc), address(bob.account), 1, "");
    }

    function test_tokens_that_do_not_keep_their_word_are_refused() public {
        FeeToken fee = new FeeToken();
        SurchargeToken surcharge = new SurchargeToken();
        FalseToken falsy = new FalseToken();
        LyingToken lying = new LyingToken();
        SilentToken silent = new SilentToken();
        address[5] memory tokens = [address(fee), address(surcharge), address(falsy), address(lying), address(silent)];
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](5);
        for (uint256 i; i < 5; ++i) {
            FeeToken(tokens[i]).mint(address(bob.account), 100e6);
            c[i] = ISpendPolicy.TokenCap(tokens[i], 50e6, 0, 0, 0, 0, 0);
        }
        setMandate(bob, terms(BUY), c);
        vm.startPrank(bob.key);
        vm.expectRevert(mismatch(tokens[0], 10e6, 9.9e6));
        bob.account.spend(tokens[0], SHOP, 10e6, "");
        vm.expectRevert(mismatch(tokens[1], 10.1e6, 10e6));
        bob.account.spend(tokens[1], SHOP, 10e6, "");
        vm.expectRevert(abi.encodeWithSignature("SafeERC20FailedOperation(address)", tokens[2]));
        bob.account.spend(tokens[2], SHOP, 10e6, "");
        vm.expectRevert(mismatch(tokens[3], 0, 0));
        bob.account.spend(tokens[3], SHOP, 10e6, "");
        bob.account.spend(tokens[4], SHOP, 10e6, "");
        vm.stopPrank();
        require(silent.balanceOf(SHOP) == 10e6, "an old token that answers nothing is fine");
        require(policy.spentTotal(bob.id, tokens[0]) == 0 && policy.spentTotal(bob.id, tokens[3]) == 0, "unbooked");
    }

    function mismatch(address token, uint256 debited, uint256 credited) private pure returns (bytes memory) {
        return abi.encodeWithSelector(AgentAccount.AmountMismatch.selector, token, 10e6, debited, credited);
    }

    // Payments by signature

    function authorize(Party memory p, uint256 amount, bytes32 nonce) private returns (bytes32 digest) {
        vm.prank(p.key);
        return p.account.authorizePayment(address(usdc), SHOP, amount, 0, block.timestamp + 600, nonce, "ref");
    }

    function vouch(Party memory p, bytes32 digest) private pure returns (bytes memory) {
        return abi.encodePacked(p.key, sign(p.keyPk, digest));
    }

    function collect(bytes memory signature, uint256 amount, uint256 validBefore, bytes32 nonce) private {
        usdc.transferWithAuthorization(address(bob.account), SHOP, amount, 0, validBefore, nonce, signature);
    }

    function test_a_booked_payment_is_collected_once() public {
        bytes32 digest = authorize(bob, 10e6, "n");
        require(policy.spentTotal(bob.id, address(usdc)) == 10e6, "booked first");
        bytes memory signature = vouch(bob, digest);
        require(signature.length == 85, "85 bytes");
        collect(signature, 10e6, START + 600, "n");
        require(usdc.balanceOf(SHOP) == 10e6, "collected");
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        collect(signature, 10e6, START + 600, "n");
    }

    function test_no_other_payment_than_the_booked_one_is_vouched_for() public {
        bytes memory signature = vouch(bob, authorize(bob, 10e6, "n"));
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        collect(signature, 11e6, START + 600, "n");
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        collect(signature, 10e6, START + 600, "other");
    }

    function test_payments_over_the_caps_are_not_authorised() public {
        vm.prank(bob.key);
        vm.expectRevert(
            abi.encodeWithSelector(SpendPolicy.PerDealCapExceeded.selector, bob.id, address(usdc), 500e6 + 1, 500e6)
        );
        bob.account.authorizePayment(address(usdc), SHOP, 500e6 + 1, 0, START + 600, "n", "ref");
    }

    function test_a_payment_is_authorised_for_an_hour_at_most_and_once() public {
        vm.startPrank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.InvalidPaymentTerm.selector, START + 3601));
        bob.account.authorizePayment(address(usdc), SHOP, 1, 0, START + 3601, "n", "ref");
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.InvalidPaymentTerm.selector, START));
        bob.account.authorizePayment(address(usdc), SHOP, 1, 0, START, "n", "ref");
        bytes32 digest = bob.account.authorizePayment(address(usdc), SHOP, 1, 0, START + 3600, "n", "ref");
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.PaymentAlreadyAuthorized.selector, digest));
        bob.account.authorizePayment(address(usdc), SHOP, 1, 0, START + 3600, "n", "ref");
        vm.stopPrank();
        bytes memory signature = vouch(bob, digest);
        require(bob.account.isValidSignature(digest, signature) == IERC1271.isValidSignature.selector, "valid");
        vm.warp(START + 3600);
        require(bob.account.isValidSignature(digest, signature) == INVALID, "over");
    }

    function test_a_booked_payment_dies_with_pause_key_mandate_and_owner() public {
        bytes32 digest = authorize(bob, 10e6, "n");
        bytes memory signature = vouch(bob, digest);
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        require(bob.account.isValidSignature(digest, signature) == INVALID, "paused");
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, false);
        require(bob.account.isValidSignature(digest, signature) == IERC1271.isValidSignature.selector, "resumed");

        setMandate(bob, terms(BUY), caps(500e6));
        require(bob.account.isValidSignature(digest, signature) == INVALID, "another mandate");

        digest = authorize(bob, 10e6, "m");
        signature = vouch(bob, digest);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        require(bob.account.isValidSignature(digest, signature) == INVALID, "sold");
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(Mandates.KeyUsedBefore.selector, bob.id, bob.key));
        policy.grantKey(bob.id, bob.key, FAR);
    }

    function test_only_the_right_key_in_the_right_form_vouches() public {
        bytes32 digest = authorize(bob, 10e6, "n");
        bytes memory plain = sign(bob.keyPk, digest);
        require(bob.account.isValidSignature(digest, plain) == INVALID, "65 bytes");
        require(bob.account.isValidSignature(digest, sign(bob.ownerPk, digest)) == INVALID, "the owner");
        require(bob.account.isValidSignature(digest, "") == INVALID, "nothing");
        bytes memory byOther = abi.encodePacked(bob.key, sign(alice.keyPk, digest));
        require(bob.account.isValidSignature(digest, byOther) == INVALID, "another's signature");
        bytes memory forOther = abi.encodePacked(alice.key, sign(alice.keyPk, digest));
        require(bob.account.isValidSignature(digest, forOther) == INVALID, "another's key");
        bytes memory underOther = abi.encodePacked(alice.key, sign(bob.keyPk, digest));
        require(bob.account.isValidSignature(digest, underOther) == INVALID, "under another's name");
        bytes32 unbooked = keccak256("permit, or anything else");
        require(bob.account.isValidSignature(unbooked, vouch(bob, unbooked)) == INVALID, "nothing unbooked");
    }

    // The settlement's door

    function test_only_the_settlement_passes_its_door() public {
        IAgentAccount.Trade memory trade =
            IAgentAccount.Trade(bob.key, address(alice.account), address(usdc), 1e6, RWA);
        address[4] memory strangers = [bob.key, bob.owner, GUARDIAN, address(this)];
        for (uint256 i; i < 4; ++i) {
            bytes memory refusal = abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, strangers[i]);
            vm.startPrank(strangers[i]);
            vm.expectRevert(refusal);
            bob.account.payDeal(trade, 0, strangers[i]);
            vm.expectRevert(refusal);
            bob.account.deliverDeal(trade, address(assets), 1, true);
            vm.stopPrank();
        }
    }

    // The rest

    function test_the_implementation_itself_is_inert() public {
        require(implementation.owner() == address(0), "no owner");
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAccountOwner.selector, address(this)));
        implementation.execute(address(usdc), 0, "", 0);
        (,, uint256 garbage) = implementation.token();
        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.NotAccount.selector, garbage, address(implementation)));
        implementation.spend(address(usdc), SHOP, 1, "");
    }

    function test_an_account_made_for_another_contracts_token_cannot_book() public {
        address fake = nft.REGISTRY().createAccount(address(implementation), 0, block.chainid, address(assets), bob.id);
        usdc.mint(fake, 10e6);
        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.NotAccount.selector, bob.id, fake));
        AgentAccount(payable(fake)).spend(address(usdc), SHOP, 1, "");
        address twin = nft.REGISTRY().createAccount(address(implementation), "2", block.chainid, address(nft), bob.id);
        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.NotAccount.selector, bob.id, twin));
        AgentAccount(payable(twin)).spend(address(usdc), SHOP, 1, "");
    }

    function test_on_another_chain_nobody_owns_the_account() public {
        vm.chainId(block.chainid + 1);
        require(bob.account.owner() == address(0), "no owner");
        require(bob.account.isValidSigner(address(0), "") == 0, "nobody signs");
    }

    function test_interfaces_and_receivers() public {
        bytes4[5] memory ids = [bytes4(0x01ffc9a7), 0x6faff5f1, 0x51945447, 0x1626ba7e, 0x150b7a02];
        for (uint256 i; i < ids.length; ++i) {
            require(bob.account.supportsInterface(ids[i]), "interface");
        }
        require(!bob.account.supportsInterface(0xffffffff), "not everything");
        require(bob.account.isValidSigner(bob.owner, "") == 0x523e3260, "owner");
        require(bob.account.isValidSigner(bob.key, "") == 0, "a key is no signer");
        vm.prank(address(nft));
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.SelfOwnership.selector));
        bob.account.onERC721Received(bob.owner, bob.owner, bob.id, "");
    }
}
