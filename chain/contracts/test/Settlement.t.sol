// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../AgentAccount.sol";
import {Settlement} from "../Settlement.sol";
import {SpendPolicy} from "../SpendPolicy.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";
import {FeeToken} from "./Tokens.sol";

contract SettlementTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function test_a_deal_moves_asset_money_and_fee_and_books_the_buyer() public {
        Settlement.Deal memory d = deal(100e6);
        settle(d);
        require(assets.ownerOf(d.tokenId) == address(bob.account), "asset");
        require(usdc.balanceOf(address(bob.account)) == 900e6, "buyer pays the price");
        require(usdc.balanceOf(address(alice.account)) == 1_098e6, "seller gets it less two percent");
        require(usdc.balanceOf(TREASURY) == 2e6, "fee");
        require(settlement.settledAt(d.seller, d.buyer, d.dealId) == START, "settled");
        require(policy.spentTotal(bob.id, address(usdc)) == 100e6, "the whole price is booked");
        require(policy.spentTotal(alice.id, address(usdc)) == 0, "a sale is no spending");
        require(alice.account.state() == 1 && bob.account.state() == 1, "both acted");
    }

    function testFuzz_price_splits_without_rest(uint128 price) public {
        price = price % 500e6 + 1;
        Settlement.Deal memory d = deal(price);
        settle(d);
        uint256 fee = uint256(price) * 2 / 100;
        require(usdc.balanceOf(TREASURY) == fee, "rounded down");
        require(usdc.balanceOf(address(alice.account)) == 1_000e6 + price - fee, "seller");
        require(usdc.balanceOf(address(bob.account)) == 1_000e6 - price, "buyer");
    }

    function test_an_asset_in_the_owners_wallet_goes_by_its_own_approval() public {
        uint256 tokenId = assets.mint(alice.owner);
        Settlement.Deal memory d = dealOver(address(assets), tokenId, 100e6);
        settleRefused(
            d, abi.encodeWithSelector(Settlement.AssetNotApproved.selector, address(assets), tokenId, alice.owner)
        );
        vm.prank(alice.owner);
        assets.setApprovalForAll(address(settlement), true);
        settleRefused(
            d, abi.encodeWithSelector(Settlement.AssetNotApproved.selector, address(assets), tokenId, alice.owner)
        );
        vm.prank(alice.owner);
        assets.approve(address(settlement), tokenId);
        settle(d);
        require(assets.ownerOf(tokenId) == address(bob.account), "asset");
        require(usdc.balanceOf(address(alice.account)) == 1_098e6, "money to the agent, not the owner");
    }

    function test_an_approved_asset_of_somebody_else_is_not_the_sellers_to_sell() public {
        address carol = address(0xCA401);
        uint256 tokenId = assets.mint(carol);
        vm.prank(carol);
        assets.approve(address(settlement), tokenId);
        settleRefused(
            dealOver(address(assets), tokenId, 100e6),
            abi.encodeWithSelector(Settlement.AssetNotHeld.selector, address(assets), tokenId, carol)
        );
        // Nor the buyer's, nor the one that another agent of the same owner holds.
        tokenId = assets.mint(address(bob.account));
        settleRefused(
            dealOver(address(assets), tokenId, 100e6),
            abi.encodeWithSelector(Settlement.AssetNotHeld.selector, address(assets), tokenId, address(bob.account))
        );
    }

    function test_an_approval_no_longer_counts_when_the_agent_was_sold() public {
        uint256 tokenId = assets.mint(alice.owner);
        vm.prank(alice.owner);
        assets.approve(address(settlement), tokenId);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, bob.owner, alice.id);
        alice = rekey(alice);
        settleRefused(
            dealOver(address(assets), tokenId, 100e6),
            abi.encodeWithSelector(Settlement.AssetNotHeld.selector, address(assets), tokenId, alice.owner)
        );
    }

    function test_a_deal_is_settled_once() public {
        Settlement.Deal memory d = deal(100e6);
        settle(d);
        settleRefused(d, abi.encodeWithSelector(Settlement.DealAlreadySettled.selector, d.dealId));
        // The id is the pair's nonce, whatever else the deal says.
        Settlement.Deal memory other = deal(50e6);
        other.dealId = d.dealId;
        settleRefused(other, abi.encodeWithSelector(Settlement.DealAlreadySettled.selector, d.dealId));
    }

    function test_a_deal_has_its_deadline() public {
        Settlement.Deal memory d = deal(100e6);
        vm.warp(d.deadline + 1);
        settleRefused(d, abi.encodeWithSelector(Settlement.DealExpired.selector, d.dealId, d.deadline));
        vm.warp(d.deadline);
        settle(d);
    }

    function test_both_keys_sign_the_same_deal() public {
        Settlement.Deal memory d = deal(100e6);
        (bytes memory s, bytes memory b) = signatures(d);
        bytes memory badBuyer = abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, bob.key);
        bytes memory badSeller = abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, alice.key);
        vm.expectRevert(badBuyer);
        settlement.settle(d, alice.key, s, bob.key, s);
        vm.expectRevert(badSeller);
        settlement.settle(d, alice.key, b, bob.key, b);
        vm.expectRevert(badSeller);
        settlement.settle(d, alice.key, "", bob.key, b);
        d.price = 101e6;
        vm.expectRevert(badSeller);
        settlement.settle(d, alice.key, s, bob.key, b);
    }

    function test_nobody_is_no_key_that_signs_a_deal() public {
        Settlement.Deal memory d = deal(100e6);
        (bytes memory s, bytes memory b) = signatures(d);
        bytes memory refusal = abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, address(0));
        vm.expectRevert(refusal);
        settlement.settle(d, address(0), "", bob.key, b);
        vm.expectRevert(refusal);
        settlement.settle(d, alice.key, s, address(0), "");
    }

    function test_a_wallet_that_gets_the_fees_signs_for_no_key() public {
        uint256 vaultPk = 0x7A017;
        settlement.proposeVault(vm.addr(vaultPk));
        vm.warp(START + 2 days);
        settlement.changeVault();
        Settlement.Deal memory d = deal(100e6);
        (bytes memory s, bytes memory b) = signatures(d);
        bytes memory byVault = sign(vaultPk, settlement.hashDeal(d));
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, alice.key));
        settlement.settle(d, alice.key, byVault, bob.key, b);
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, bob.key));
        settlement.settle(d, alice.key, s, bob.key, byVault);
        settle(d);
    }

    function test_keys_act_for_their_own_agent_only() public {
        Settlement.Deal memory d = deal(100e6);
        (bytes memory s, bytes memory b) = signatures(d);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, alice.id, bob.key));
        settlement.settle(d, bob.key, b, alice.key, s);
        bytes memory byOwner = sign(alice.ownerPk, settlement.hashDeal(d));
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, alice.id, alice.owner));
        settlement.settle(d, alice.owner, byOwner, bob.key, b);
    }

    function test_parties_are_two_agents() public {
        Settlement.Deal memory d = deal(100e6);
        d.buyer = d.seller;
        settleRefused(d, abi.encodeWithSelector(Settlement.SameParty.selector, d.seller));
        d.buyer = bob.owner;
        settleRefused(d, abi.encodeWithSelector(Settlement.NotAgent.selector, bob.owner));
        d.buyer = nft.REGISTRY().createAccount(address(implementation), "2", block.chainid, address(nft), bob.id);
        settleRefused(d, abi.encodeWithSelector(Settlement.NotAgent.selector, d.buyer));
        d.buyer = address(bob.account);
        d.seller = nft.REGISTRY().createAccount(address(0xD00D), "2", block.chainid, address(nft), alice.id);
        vm.expectRevert(bytes(""));
        this.settleExternally(d);
    }

    function settleExternally(Settlement.Deal memory d) external {
        (bytes memory s, bytes memory b) = signatures(d);
        settlement.settle(d, alice.key, s, bob.key, b);
    }

    function test_two_agents_of_one_owner_may_deal_on_chain() public {
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        bob = rekey(bob);
        settle(deal(100e6));
    }

    function test_the_buyers_caps_hold_in_a_deal() public {
        setMandate(bob, terms(BUY), caps(90e6));
        settleRefused(
            deal(100e6),
            abi.encodeWithSelector(SpendPolicy.PerDealCapExceeded.selector, bob.id, address(usdc), 100e6, 90e6)
        );
        setMandate(bob, terms(BUY), caps(200e6, 150e6, 0, 0, 0, 0));
        settle(deal(100e6));
        settleRefused(
            deal(60e6),
            abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 60e6, 100e6, 150e6)
        );
        require(usdc.balanceOf(address(alice.account)) == 1_098e6, "nothing of the second");
    }

    function test_the_sellers_floor_token_and_cap_hold_in_a_deal() public {
        setMandate(alice, terms(SELL), caps(500e6, 0, 0, 0, 0, 100e6));
        settleRefused(
            deal(100e6 - 1),
            abi.encodeWithSelector(SpendPolicy.BelowMinPrice.selector, alice.id, address(usdc), 100e6 - 1, 100e6)
        );
        settle(deal(100e6));
        setMandate(alice, terms(SELL), caps(90e6));
        settleRefused(
            deal(101e6),
            abi.encodeWithSelector(SpendPolicy.PerDealCapExceeded.selector, alice.id, address(usdc), 101e6, 90e6)
        );
        setMandate(alice, terms(SELL), new ISpendPolicy.TokenCap[](0));
        settleRefused(deal(99e6), abi.encodeWithSelector(SpendPolicy.TokenNotAllowed.selector, alice.id, address(usdc)));
        setMandate(alice, terms(SELL), caps(type(uint80).max));
        settleRefused(deal(0), abi.encodeWithSelector(SpendPolicy.ZeroAmount.selector));
    }

    function test_sides_categories_and_lists_hold_on_both_sides() public {
        Settlement.Deal memory d = deal(100e6);
        setMandate(alice, terms(BUY), caps(500e6));
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.SideNotAllowed.selector, alice.id, SELL));
        setMandate(alice, terms(SELL), caps(500e6));
        setMandate(bob, terms(SELL), caps(500e6));
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.SideNotAllowed.selector, bob.id, BUY));
        ISpendPolicy.Terms memory t = terms(BUY);
        t.categories = 1 << 2;
        setMandate(bob, t, caps(500e6));
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.CategoryNotAllowed.selector, bob.id, RWA));
        d.category = 200;
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.CategoryNotAllowed.selector, bob.id, 200));
        d.category = 2;
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(500e6), none(), one(address(alice.account)));
        settleRefused(
            d, abi.encodeWithSelector(SpendPolicy.CounterpartyNotAllowed.selector, bob.id, address(alice.account))
        );
        t.allowlistOnly = true;
        vm.prank(bob.owner);
        policy.setMandate(bob.id, t, caps(500e6), one(address(alice.account)), none());
        t = terms(SELL);
        t.categories = 1 << RWA;
        setMandate(alice, t, caps(500e6));
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.CategoryNotAllowed.selector, alice.id, 2));
        t.categories = 0;
        vm.prank(alice.owner);
        policy.setMandate(alice.id, t, caps(500e6), none(), one(address(bob.account)));
        settleRefused(
            d, abi.encodeWithSelector(SpendPolicy.CounterpartyNotAllowed.selector, alice.id, address(bob.account))
        );
        setMandate(alice, t, caps(500e6));
        settle(d);
    }

    function test_a_paused_or_lapsed_side_stops_the_deal() public {
        Settlement.Deal memory d = deal(100e6);
        vm.prank(GUARDIAN);
        policy.setPaused(alice.id, true);
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.AgentPaused.selector, alice.id));
        vm.prank(GUARDIAN);
        policy.setPaused(alice.id, false);
        ISpendPolicy.Terms memory t = terms(BUY);
        t.expiry = START;
        setMandate(bob, t, caps(500e6));
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.MandateNotActive.selector, bob.id, 0, START));
    }

    function test_a_buyer_without_the_money_gets_nothing_and_the_asset_stays() public {
        setMandate(bob, terms(BUY), caps(5_000e6));
        setMandate(alice, terms(SELL), caps(5_000e6));
        Settlement.Deal memory d = deal(1_001e6);
        settleRefused(d, abi.encodeWithSignature("Error(string)", "ERC20: transfer amount exceeds balance"));
        require(assets.ownerOf(d.tokenId) == address(alice.account), "asset stays");
        require(settlement.settledAt(d.seller, d.buyer, d.dealId) == 0 && policy.spentTotal(bob.id, address(usdc)) == 0, "no trace");
    }

    function test_a_token_that_takes_its_own_fee_is_refused_in_a_deal() public {
        FeeToken fee = new FeeToken();
        fee.mint(address(bob.account), 1_000e6);
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](1);
        c[0] = ISpendPolicy.TokenCap(address(fee), 500e6, 0, 0, 0, 0, 0);
        setMandate(bob, terms(BUY), c);
        setMandate(alice, terms(SELL), c);
        Settlement.Deal memory d = deal(100e6);
        resell(d, address(fee));
        settleRefused(
            d, abi.encodeWithSelector(AgentAccount.AmountMismatch.selector, address(fee), 98e6, 98e6, 98e6 - 0.98e6)
        );
    }

    function test_an_agent_is_sold_like_any_asset_but_never_by_itself() public {
        Party memory carol = party(0xCA401, terms(BUY), caps(1e6));
        enter(carol, alice);
        settle(dealOver(address(nft), carol.id, 100e6));
        require(nft.ownerOf(carol.id) == address(bob.account), "sold");

        vm.prank(alice.owner);
        nft.approve(address(settlement), alice.id);
        settleRefused(
            dealOver(address(nft), alice.id, 100e6),
            abi.encodeWithSelector(Settlement.AgentSellsItself.selector, alice.id)
        );
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        bob = rekey(bob);
        vm.prank(alice.owner);
        nft.approve(address(settlement), bob.id);
        // Bob's account holds Carol's agent, and an account that holds agents cannot be quoted.
        settleRefused(
            dealOver(address(nft), bob.id, 100e6), abi.encodeWithSelector(AgentAccount.AgentsHeld.selector, 1)
        );
        vm.prank(alice.owner);
        bob.account.execute(
            address(nft), 0, abi.encodeCall(nft.transferFrom, (address(bob.account), SHOP, carol.id)), 0
        );
        Settlement.Deal memory ring = dealOver(address(nft), bob.id, 100e6);
        ring.state = bob.account.state();
        // Listing either had paused it.
        vm.prank(alice.owner);
        policy.setPaused(alice.id, false);
        settleRefused(
            ring, abi.encodeWithSignature("OwnershipCycle(uint256,address)", bob.id, address(bob.account))
        );
    }
}
