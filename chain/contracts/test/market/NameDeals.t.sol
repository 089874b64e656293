// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {Base} from "../Base.sol";
import {TrickAsset} from "../Tokens.sol";

/// @dev A name is sold with a fee on each side, and only by two keys that signed for the sale of a name.
contract NameDealsTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function settleName(Settlement.Deal memory d) private {
        (bytes memory s, bytes memory b) = nameSignatures(d);
        settlement.settleName(d, alice.key, s, bob.key, b);
    }

    function nameSignatures(Settlement.Deal memory d) private view returns (bytes memory s, bytes memory b) {
        bytes32 digest = settlement.hashNameDeal(d);
        return (sign(alice.keyPk, digest), sign(bob.keyPk, digest));
    }

    function nameRefused(Settlement.Deal memory d, bytes memory refusal) private {
        (bytes memory s, bytes memory b) = nameSignatures(d);
        vm.expectRevert(refusal);
        settlement.settleName(d, alice.key, s, bob.key, b);
    }

    function test_at_300_the_seller_nets_292_50_and_the_buyer_pays_307_50() public {
        Settlement.Deal memory d = deal(300e6);
        settleName(d);
        require(assets.ownerOf(d.tokenId) == address(bob.account), "asset");
        require(usdc.balanceOf(address(bob.account)) == 692.5e6, "buyer");
        require(usdc.balanceOf(address(alice.account)) == 1_292.5e6, "seller");
        require(usdc.balanceOf(TREASURY) == 15e6, "both fees");
        require(settlement.settledAt(d.seller, d.buyer, d.dealId) == START, "settled");
        require(policy.spentTotal(bob.id, address(usdc)) == 307.5e6, "all that the buyer paid is booked");
    }

    function testFuzz_both_fees_round_down_and_nothing_is_lost(uint128 price) public {
        price = price % 480e6 + 1;
        settleName(deal(price));
        uint256 side = uint256(price) * 25 / 1_000;
        require(settlement.nameFeeOf(price) == side, "fee of a side");
        require(usdc.balanceOf(TREASURY) == 2 * side, "treasury");
        require(usdc.balanceOf(address(alice.account)) == 1_000e6 + price - side, "seller");
        require(usdc.balanceOf(address(bob.account)) == 1_000e6 - price - side, "buyer");
    }

    function test_the_fee_on_top_counts_against_the_buyers_caps() public {
        setMandate(bob, terms(BUY), caps(102.5e6 - 1));
        nameRefused(
            deal(100e6),
            abi.encodeWithSelector(
                SpendPolicy.PerDealCapExceeded.selector, bob.id, address(usdc), 102.5e6, 102.5e6 - 1
            )
        );
        setMandate(bob, terms(BUY), caps(102.5e6));
        settleName(deal(100e6));
    }

    function test_the_sellers_cap_and_floor_are_held_to_the_price() public {
        setMandate(alice, terms(SELL), caps(100e6, 0, 0, 0, 0, 100e6));
        settleName(deal(100e6));
    }

    function test_what_was_signed_as_one_kind_of_deal_settles_as_no_other() public {
        Settlement.Deal memory d = deal(100e6);
        (bytes memory s, bytes memory b) = signatures(d);
        bytes memory bad = abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, alice.key);
        vm.expectRevert(bad);
        settlement.settleName(d, alice.key, s, bob.key, b);
        (s, b) = nameSignatures(d);
        vm.expectRevert(bad);
        settlement.settle(d, alice.key, s, bob.key, b);
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, bob.key));
        settlement.settleName(d, alice.key, s, bob.key, s);
        settleName(d);
    }

    function test_an_id_settles_once_whichever_kind_its_deals_are() public {
        Settlement.Deal memory d = deal(100e6);
        settleName(d);
        nameRefused(d, abi.encodeWithSelector(Settlement.DealAlreadySettled.selector, d.dealId));
        settleRefused(d, abi.encodeWithSelector(Settlement.DealAlreadySettled.selector, d.dealId));
        d = deal(100e6);
        settle(d);
        nameRefused(d, abi.encodeWithSelector(Settlement.DealAlreadySettled.selector, d.dealId));
    }

    function test_deadline_and_parties_are_held_to_here_too() public {
        Settlement.Deal memory d = deal(100e6);
        vm.warp(d.deadline + 1);
        nameRefused(d, abi.encodeWithSelector(Settlement.DealExpired.selector, d.dealId, d.deadline));
        vm.warp(START);
        d.buyer = d.seller;
        nameRefused(d, abi.encodeWithSelector(Settlement.SameParty.selector, d.seller));
    }

    /// @dev Built from the EIP-712 text alone, as a wallet would.
    function test_the_digest_is_that_of_the_words_that_are_signed() public {
        Settlement.Deal memory d = deal(300e6);
        (, string memory name, string memory version, uint256 chainId, address place,,) = settlement.eip712Domain();
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                place
            )
        );
        bytes32 words = keccak256(
            "NameDeal(bytes32 dealId,address seller,address buyer,address asset,uint256 tokenId,address token,uint128 price,uint8 category,uint48 deadline,uint256 state)"
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, keccak256(abi.encode(words, d))));
        require(settlement.hashNameDeal(d) == digest, "digest");
        d.price += 1;
        require(settlement.hashNameDeal(d) != digest, "of every word");
    }

    function test_a_name_cannot_have_a_sale_of_others_settled_inside_its_own() public {
        Party memory carol = party(0xCA401, terms(SELL), caps(500e6));
        Party memory dave = party(0xDA4E, terms(BUY), caps(500e6));
        Settlement.Deal memory inner = dealOver(address(assets), assets.mint(address(carol.account)), 50e6);
        (inner.seller, inner.buyer) = (address(carol.account), address(dave.account));
        list(carol, inner.asset, inner.tokenId);
        bytes32 digest = settlement.hashNameDeal(inner);
        (bytes memory s, bytes memory b) = (sign(carol.keyPk, digest), sign(dave.keyPk, digest));
        TrickAsset trick = new TrickAsset();
        trick.mint(address(alice.account), 1);
        trick.arm(address(settlement), abi.encodeCall(settlement.settleName, (inner, carol.key, s, dave.key, b)));
        settleName(dealOver(address(trick), 1, 1e6));
        require(!trick.succeeded() && settlement.settledAt(inner.seller, inner.buyer, inner.dealId) == 0, "refused inside");
        settlement.settleName(inner, carol.key, s, dave.key, b);
    }

    event DealSettled(
        bytes32 indexed dealId,
        address indexed seller,
        address indexed buyer,
        address asset,
        uint256 tokenId,
        address token,
        uint256 price,
        uint256 fee
    );

    function test_the_price_and_both_fees_are_told() public {
        Settlement.Deal memory d = deal(300e6);
        vm.expectEmit(address(settlement));
        emit DealSettled(d.dealId, d.seller, d.buyer, d.asset, d.tokenId, d.token, 300e6, 15e6);
        settleName(d);
    }
}
