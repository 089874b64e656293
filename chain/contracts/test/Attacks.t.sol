// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentAccount} from "../AgentAccount.sol";
import {Mandates} from "../Mandates.sol";
import {Settlement} from "../Settlement.sol";
import {SpendPolicy} from "../SpendPolicy.sol";
import {IAgentNFT} from "../interfaces/IAgentNFT.sol";
import {IAgentAccount} from "../interfaces/IAgentAccount.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";
import {CallbackToken, DomainThief, TrickAsset, TwoFacedToken} from "./Tokens.sol";

/// @dev A contract that says it is the account of any agent it likes.
contract Impostor {
    address private immutable NFT;
    uint256 private immutable ID;

    constructor(address nft, uint256 id) {
        (NFT, ID) = (nft, id);
    }

    function token() external view returns (uint256, address, uint256) {
        return (block.chainid, NFT, ID);
    }

    function deliverDeal(IAgentAccount.Trade calldata, address, uint256, bool) external {}
    function payDeal(IAgentAccount.Trade calldata, uint256, address) external {}
}

/// @dev What somebody tries who holds a session key, deploys tokens, or owns one side.
contract AttacksTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function allow(Party memory p, address token, uint128 cap) private {
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](2);
        c[0] = caps(500e6)[0];
        c[1] = ISpendPolicy.TokenCap(token, cap, 0, 0, 0, 0, 0);
        setMandate(p, terms(BUY | SELL), c);
    }

    function test_a_token_cannot_reenter_the_agents_door() public {
        CallbackToken token = new CallbackToken();
        token.mint(address(bob.account), 100e6);
        allow(bob, address(token), 50e6);
        vm.prank(bob.owner);
        policy.grantKey(bob.id, address(token), FAR);
        bytes memory again = abi.encodeCall(bob.account.spend, (address(token), SHOP, 50e6, "again"));
        token.arm(address(bob.account), again);
        token.run(address(bob.account), again);
        require(!token.succeeded(), "the second call was refused");
        require(bytes4(token.answer()) == bytes4(keccak256("ReentrancyGuardReentrantCall()")), "by the guard");
        require(token.balanceOf(SHOP) == 50e6 && policy.spentTotal(bob.id, address(token)) == 50e6, "once");
    }

    function test_a_token_cannot_collect_a_payment_twice_by_reentering() public {
        CallbackToken token = new CallbackToken();
        token.mint(address(bob.account), 100e6);
        allow(bob, address(token), 50e6);
        vm.prank(bob.owner);
        policy.grantKey(bob.id, address(token), FAR);
        token.arm(
            address(bob.account),
            abi.encodeCall(bob.account.authorizePayment, (address(usdc), SHOP, 500e6, 0, START + 60, "n", ""))
        );
        token.run(address(bob.account), abi.encodeCall(bob.account.spend, (address(token), SHOP, 50e6, "once")));
        require(!token.succeeded() && policy.spentTotal(bob.id, address(usdc)) == 0, "refused");
    }

    function test_a_token_cannot_reenter_the_settlement_with_another_deal() public {
        CallbackToken token = new CallbackToken();
        token.mint(address(bob.account), 500e6);
        allow(bob, address(token), 100e6);
        allow(alice, address(token), 100e6);
        Settlement.Deal memory d = deal(100e6);
        Settlement.Deal memory inner = deal(50e6);
        resell(d, address(token));
        (bytes memory s, bytes memory b) = signatures(inner);
        token.arm(address(settlement), abi.encodeCall(settlement.settle, (inner, alice.key, s, bob.key, b)));
        settle(d);
        require(!token.succeeded() && settlement.settledAt(inner.seller, inner.buyer, inner.dealId) == 0, "the inner deal was refused");
        require(settlement.settledAt(d.seller, d.buyer, d.dealId) != 0, "the outer one stands");
    }

    function test_an_asset_cannot_have_a_deal_of_others_settled_inside_its_own() public {
        Party memory carol = party(0xCA401, terms(SELL), caps(500e6));
        Party memory dave = party(0xDA4E, terms(BUY), caps(500e6));
        Settlement.Deal memory inner = dealOver(address(assets), assets.mint(address(carol.account)), 50e6);
        (inner.seller, inner.buyer) = (address(carol.account), address(dave.account));
        list(carol, inner.asset, inner.tokenId);
        bytes32 digest = settlement.hashDeal(inner);
        (bytes memory s, bytes memory b) = (sign(carol.keyPk, digest), sign(dave.keyPk, digest));
        bytes memory call = abi.encodeCall(settlement.settle, (inner, carol.key, s, dave.key, b));
        TrickAsset trick = new TrickAsset();
        trick.mint(address(alice.account), 1);
        trick.arm(address(settlement), call);
        settle(dealOver(address(trick), 1, 1e6));
        require(!trick.succeeded() && settlement.settledAt(inner.seller, inner.buyer, inner.dealId) == 0, "refused inside");
        settlement.settle(inner, carol.key, s, dave.key, b);
    }

    function test_an_asset_that_does_not_arrive_takes_no_money() public {
        TrickAsset trick = new TrickAsset();
        trick.mint(address(alice.account), 1);
        trick.keep();
        settleRefused(
            dealOver(address(trick), 1, 100e6),
            abi.encodeWithSelector(Settlement.AssetNotDelivered.selector, address(trick), 1, address(alice.account))
        );
        require(usdc.balanceOf(address(bob.account)) == 1_000e6, "no money moved");
    }

    function test_an_asset_that_calls_out_reaches_no_door() public {
        TrickAsset trick = new TrickAsset();
        IAgentAccount.Trade memory trade = IAgentAccount.Trade(bob.key, SHOP, address(usdc), 100e6, RWA);
        bytes[3] memory calls = [
            abi.encodeCall(bob.account.payDeal, (trade, 0, SHOP)),
            abi.encodeCall(bob.account.spend, (address(usdc), SHOP, 100e6, "")),
            abi.encodeCall(bob.account.execute, (address(usdc), 0, abi.encodeCall(IERC20.transfer, (SHOP, 1)), 0))
        ];
        for (uint256 i; i < 3; ++i) {
            trick.mint(address(alice.account), i);
            trick.arm(address(bob.account), calls[i]);
            settle(dealOver(address(trick), i, 1e6));
            require(!trick.succeeded(), "refused");
        }
        require(usdc.balanceOf(SHOP) == 0, "nothing got out");
    }

    function test_money_cannot_leave_as_an_asset() public {
        // `transferFrom(account, buyer, n)` would move n units of a token that trusts its holder.
        TwoFacedToken money = new TwoFacedToken();
        money.mint(address(alice.account), 1_000e6);
        settleRefused(
            dealOver(address(money), 1_000e6, 1),
            abi.encodeWithSelector(Settlement.AssetNotERC721.selector, address(money))
        );
        settleRefused(
            dealOver(address(usdc), 1_000e6, 1),
            abi.encodeWithSelector(Settlement.AssetNotERC721.selector, address(usdc))
        );
        settleRefused(
            dealOver(address(0xE0A), 1, 1), abi.encodeWithSelector(Settlement.AssetNotERC721.selector, address(0xE0A))
        );
    }

    function test_a_token_cannot_lend_itself_the_domain_of_the_money() public {
        DomainThief thief = new DomainThief(address(usdc));
        allow(bob, address(thief), type(uint80).max);
        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.DomainMismatch.selector, address(thief)));
        bob.account.authorizePayment(address(thief), SHOP, 1_000e6, 0, START + 60, "n", "");
        require(policy.spentTotal(bob.id, address(thief)) == 0, "unbooked");
    }

    function test_an_impostor_is_no_party() public {
        Impostor impostor = new Impostor(address(nft), bob.id);
        Settlement.Deal memory d = deal(100e6);
        d.buyer = address(impostor);
        settleRefused(d, abi.encodeWithSelector(Settlement.NotAgent.selector, address(impostor)));
        d.buyer = address(bob.account);
        d.seller = address(new Impostor(address(nft), alice.id));
        settleRefused(d, abi.encodeWithSelector(Settlement.NotAgent.selector, d.seller));
        d.seller = address(new Impostor(address(nft), 999));
        settleRefused(d, abi.encodeWithSelector(Settlement.NotAgent.selector, d.seller));
    }

    function test_a_deal_signed_for_another_settlement_or_chain_is_no_deal_here() public {
        Settlement.Deal memory d = deal(100e6);
        Settlement other = new Settlement(IAgentNFT(nft), address(manager), address(0xBAD));
        bytes32 digest = other.hashDeal(d);
        (bytes memory s, bytes memory b) = (sign(alice.keyPk, digest), sign(bob.keyPk, digest));
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, alice.key));
        settlement.settle(d, alice.key, s, bob.key, b);
        // And a settlement that the policy is not bound to opens no account.
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, address(other)));
        other.settle(d, alice.key, s, bob.key, b);

        (s, b) = signatures(d);
        vm.chainId(block.chainid + 1);
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, alice.key));
        settlement.settle(d, alice.key, s, bob.key, b);
    }

    function test_a_signed_deal_dies_when_either_agent_changes_hands_and_back() public {
        Settlement.Deal memory d = deal(100e6);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, bob.owner, alice.id);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, alice.id);
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, alice.id, alice.key));
    }

    function test_a_mirrored_signature_is_refused() public {
        Settlement.Deal memory d = deal(100e6);
        (, bytes memory b) = signatures(d);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice.keyPk, settlement.hashDeal(d));
        // The other root of the curve recovers to the same key: EIP-2 forbids it.
        bytes32 mirrored = bytes32(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141 - uint256(s));
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, alice.key));
        settlement.settle(d, alice.key, abi.encodePacked(r, mirrored, v == 27 ? uint8(28) : 27), bob.key, b);
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, address(0)));
        settlement.settle(d, address(0), new bytes(65), bob.key, b);
    }

    function test_a_key_cannot_buy_its_way_past_a_closed_buying_side() public {
        setMandate(bob, terms(SELL), caps(500e6));
        vm.startPrank(bob.key);
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.SideNotAllowed.selector, bob.id, BUY);
        vm.expectRevert(refusal);
        bob.account.spend(address(usdc), SHOP, 1, "");
        vm.expectRevert(refusal);
        bob.account.authorizePayment(address(usdc), SHOP, 1, 0, START + 60, "n", "");
        vm.stopPrank();
    }

    function test_spends_payments_and_deals_share_one_cap() public {
        setMandate(bob, terms(BUY), caps(100e6, 100e6, 0, 0, 0, 0));
        spend(bob, 40e6);
        vm.prank(bob.key);
        bob.account.authorizePayment(address(usdc), SHOP, 40e6, 0, START + 60, "n", "");
        settleRefused(
            deal(21e6),
            abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 21e6, 80e6, 100e6)
        );
        settle(deal(20e6));
        require(policy.remaining(bob.id, address(usdc)).spendable == 0, "all of it");
    }

    function test_splitting_a_price_saves_no_fee_worth_its_gas() public view {
        require(settlement.feeOf(49) == 0 && settlement.feeOf(50) == 1, "rounded down to the unit");
        require(settlement.feeOf(type(uint128).max) == uint256(type(uint128).max) * 2 / 100, "no overflow");
    }

    function test_no_cap_is_larger_than_what_is_kept_of_it() public {
        uint128 large = uint128(type(uint80).max) + 1;
        ISpendPolicy.TokenCap[] memory c;
        for (uint256 i; i < 6; ++i) {
            uint128[6] memory l = [uint128(1), 0, 0, 0, 0, 0];
            l[i] = large;
            c = caps(l[0], l[1], l[2], l[3], l[4], l[5]);
            vm.prank(bob.owner);
            vm.expectRevert(abi.encodeWithSelector(Mandates.CapTooLarge.selector, address(usdc), large));
            policy.setMandate(bob.id, terms(BUY), c, none(), none());
        }
        c = caps(large - 1, large - 1, large - 1, large - 1, large - 1, large - 1);
        setMandate(bob, terms(BUY), c);
        require(policy.capOf(bob.id, address(usdc)).monthCap == large - 1, "kept whole");
    }
}
