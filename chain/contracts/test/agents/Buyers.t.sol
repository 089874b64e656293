// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../../AgentAccount.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {AssetListings} from "../../AssetListings.sol";
import {Mandates} from "../../Mandates.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {TestUSDC} from "../../TestUSDC.sol";
import {Base} from "../Base.sol";

/// @dev Sells agents as they stood when they were quoted, or not at all.
contract AgentSale {
    AgentNFT private immutable NFT;
    TestUSDC private immutable USDC;

    error Moved(uint256 quoted, uint256 state);

    constructor(AgentNFT nft, TestUSDC usdc) {
        NFT = nft;
        USDC = usdc;
    }

    function buy(uint256 agentId, uint256 price, uint256 quoted) external {
        uint256 state = AgentAccount(payable(NFT.accountOf(agentId))).state();
        if (state != quoted) revert Moved(quoted, state);
        address seller = NFT.ownerOf(agentId);
        USDC.transferFrom(msg.sender, seller, price);
        NFT.transferFrom(seller, msg.sender, agentId);
    }
}

/// @dev Who buys an agent gets what was quoted, and nobody who acted for the seller acts for the buyer.
contract BuyersTest is Base {
    address private constant BUYER = address(0xB0);
    uint256 private constant PRICE = 900e6;
    AgentSale private sale;

    function setUp() public {
        deployWithParties();
        sale = new AgentSale(nft, usdc);
        usdc.mint(BUYER, PRICE);
        vm.prank(BUYER);
        usdc.approve(address(sale), PRICE);
        vm.prank(bob.owner);
        nft.approve(address(sale), bob.id);
    }

    function buy(uint256 quoted) private {
        vm.prank(BUYER);
        sale.buy(bob.id, PRICE, quoted);
    }

    function buyRefused(uint256 quoted) private {
        bytes memory refusal = abi.encodeWithSelector(AgentSale.Moved.selector, quoted, bob.account.state());
        vm.prank(BUYER);
        vm.expectRevert(refusal);
        sale.buy(bob.id, PRICE, quoted);
    }

    function authorize(uint256 amount, uint256 validBefore) private returns (bytes memory signature) {
        vm.prank(bob.key);
        bytes32 digest = bob.account.authorizePayment(address(usdc), SHOP, amount, 0, validBefore, "n", "");
        return abi.encodePacked(bob.key, sign(bob.keyPk, digest));
    }

    function test_a_quote_holds_while_nothing_leaves() public {
        uint256 quoted = bob.account.state();
        vm.warp(START + 3 days);
        usdc.mint(address(bob.account), 5e6);
        list(bob, address(assets), 1);
        setMandate(bob, terms(BUY), caps(1e6));
        vm.prank(bob.owner);
        policy.grantKey(bob.id, SHOP, FAR);
        vm.prank(GUARDIAN);
        policy.setPaused(bob.id, true);
        buy(quoted);
        require(nft.ownerOf(bob.id) == BUYER && usdc.balanceOf(bob.owner) == PRICE, "sold");
        require(usdc.balanceOf(address(bob.account)) == 1_005e6, "with all that lay there");
    }

    function test_a_spend_breaks_the_quote() public {
        uint256 quoted = bob.account.state();
        spend(bob, 1);
        buyRefused(quoted);
        buy(bob.account.state());
    }

    function test_a_deal_breaks_the_quotes_of_both_sides() public {
        (uint256 quoted, uint256 sellers) = (bob.account.state(), alice.account.state());
        settle(deal(1e6));
        buyRefused(quoted);
        require(alice.account.state() != sellers, "the asset has left");
    }

    function test_what_the_owner_takes_out_breaks_the_quote() public {
        uint256 quoted = bob.account.state();
        vm.prank(bob.owner);
        bob.account.execute(address(usdc), 0, abi.encodeCall(usdc.transfer, (bob.owner, 1)), 0);
        buyRefused(quoted);
        quoted = bob.account.state();
        vm.deal(address(bob.account), 1);
        vm.prank(bob.owner);
        bob.account.execute(bob.owner, 1, "", 0);
        buyRefused(quoted);
    }

    function test_no_quote_holds_while_a_booked_payment_may_leave() public {
        uint256 before = bob.account.state();
        bytes memory signature = authorize(500e6, START + 600);
        bytes memory open = abi.encodeWithSelector(AgentAccount.BookingsOpen.selector, START + 600);
        vm.expectRevert(open);
        bob.account.state();
        vm.prank(BUYER);
        vm.expectRevert(open);
        sale.buy(bob.id, PRICE, before);
        usdc.transferWithAuthorization(address(bob.account), SHOP, 500e6, 0, START + 600, "n", signature);
        vm.warp(START + 599);
        vm.prank(BUYER);
        vm.expectRevert(open);
        sale.buy(bob.id, PRICE, before + 1);
        vm.warp(START + 600);
        buyRefused(before);
        uint256 quoted = bob.account.state();
        require(quoted == before + 1, "the acts again");
        vm.warp(START + 1 days);
        buy(quoted);
    }

    function test_the_latest_of_several_payments_counts() public {
        authorize(1e6, START + 3_600);
        vm.prank(bob.key);
        bob.account.authorizePayment(address(usdc), SHOP, 1e6, 0, START + 60, "m", "");
        vm.warp(START + 3_599);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.BookingsOpen.selector, START + 3_600));
        bob.account.state();
        vm.warp(START + 3_600);
        require(bob.account.state() == 2, "both are over");
    }

    function test_keys_bookings_listings_and_signed_deals_end_with_the_sale() public {
        Settlement.Deal memory d = deal(10e6);
        d.deadline = START + 1 days;
        uint256 tokenId = assets.mint(address(bob.account));
        list(bob, address(assets), tokenId);
        bytes memory signature = authorize(10e6, START + 600);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, BUYER, bob.id);

        require(!policy.keyIsLive(bob.id, bob.key), "key");
        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.key));
        bob.account.spend(address(usdc), SHOP, 1, "");
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(address(bob.account), SHOP, 10e6, 0, START + 600, "n", signature);
        require(!isListed(bob.id, address(assets), tokenId), "listing");
        settleRefused(d, abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.key));

        // Nor can the buyer trust the same key: what the seller booked, listed and signed stays ended.
        vm.prank(BUYER);
        vm.expectRevert(abi.encodeWithSelector(Mandates.KeyUsedBefore.selector, bob.id, bob.key));
        policy.grantKey(bob.id, bob.key, FAR);
        Party memory seller = rekey(bob);
        bob = alice;
        alice = seller;
        Settlement.Deal memory back = d;
        (back.seller, back.buyer, back.tokenId) = (d.buyer, d.seller, tokenId);
        settleRefused(
            back, abi.encodeWithSelector(AssetListings.AssetNotListed.selector, alice.id, address(assets), tokenId)
        );
    }

    function test_the_seller_passes_no_door_after_the_sale() public {
        buy(bob.account.state());
        vm.prank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAccountOwner.selector, bob.owner));
        bob.account.execute(address(usdc), 0, abi.encodeCall(usdc.transfer, (bob.owner, 1)), 0);
        vm.prank(BUYER);
        bob.account.execute(address(usdc), 0, abi.encodeCall(usdc.transfer, (BUYER, 1_000e6)), 0);
        require(usdc.balanceOf(BUYER) == 1_000e6, "all of it is the buyer's");
    }
}
