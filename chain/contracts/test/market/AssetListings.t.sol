// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {AssetListings} from "../../AssetListings.sol";
import {Mandates} from "../../Mandates.sol";
import {Settlement} from "../../Settlement.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Base} from "../Base.sol";

/// @dev A wallet that is a contract and vouches for one text.
contract ContractWallet is IERC1271 {
    bytes32 private immutable VOUCHED;

    constructor(bytes32 vouched) {
        VOUCHED = vouched;
    }

    function isValidSignature(bytes32 hash, bytes calldata) external view returns (bytes4) {
        return hash == VOUCHED ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// @dev An agent sells what its owner has listed, once, and nothing else.
contract AssetListingsTest is Base {
    string private constant BEFORE = "market.test wants you to sign in with your Ethereum account:\n0xA1\n\n";
    string private constant REST = "\n\nURI: https://market.test\nNonce: 12345678";
    uint48 private constant UNTIL = START + 600;
    uint256 private tokenId;

    function setUp() public {
        deployWithParties();
        // The agent and the asset have different numbers.
        assets.mint(SHOP);
        assets.mint(SHOP);
        tokenId = assets.mint(address(alice.account));
    }

    function unlisted(uint128 price) private view returns (Settlement.Deal memory) {
        return Settlement.Deal({
            dealId: "deal",
            seller: address(alice.account),
            buyer: address(bob.account),
            asset: address(assets),
            tokenId: tokenId,
            token: address(usdc),
            price: price,
            category: RWA,
            deadline: uint48(block.timestamp + 600),
            state: 0
        });
    }

    function refusal() private view returns (bytes memory) {
        return abi.encodeWithSelector(AssetListings.AssetNotListed.selector, alice.id, address(assets), tokenId);
    }

    function isListed() private view returns (bool) {
        return isListed(alice.id, address(assets), tokenId);
    }

    function lot() private view returns (AssetListings.Lot memory) {
        return lotOf(alice, address(assets), tokenId, 5e6);
    }

    function line() private view returns (string memory) {
        return policy.listingLine(lot(), UNTIL);
    }

    function signed(uint256 pk, string memory text) private pure returns (bytes memory) {
        return sign(pk, MessageHashUtils.toEthSignedMessageHash(bytes(text)));
    }

    function send(string memory before, string memory rest, bytes memory signature) private {
        policy.listByMessage(lot(), UNTIL, before, rest, signature);
    }

    function text() private view returns (string memory) {
        return string.concat(BEFORE, line(), REST);
    }

    function test_what_was_never_listed_is_not_sold_though_both_keys_sign() public {
        settleRefused(unlisted(10e6), refusal());
        require(assets.ownerOf(tokenId) == address(alice.account), "stays");
    }

    function test_what_is_listed_is_sold_once() public {
        list(alice, address(assets), tokenId);
        settle(unlisted(10e6));
        require(!isListed(), "used up");
        vm.prank(address(bob.account));
        assets.transferFrom(address(bob.account), address(alice.account), tokenId);
        Settlement.Deal memory again = unlisted(10e6);
        again.dealId = "again";
        settleRefused(again, refusal());
    }

    function test_what_the_owner_keeps_in_the_wallet_is_sold_only_when_listed_too() public {
        vm.prank(address(alice.account));
        assets.transferFrom(address(alice.account), alice.owner, tokenId);
        vm.prank(alice.owner);
        assets.approve(address(settlement), tokenId);
        settleRefused(unlisted(10e6), refusal());
        list(alice, address(assets), tokenId);
        settle(unlisted(10e6));
        require(assets.ownerOf(tokenId) == address(bob.account), "sold");
    }

    function expectTold(bool listed) private {
        vm.expectEmit(address(policy));
        emit AssetListings.AssetListed(
            alice.id, address(assets), tokenId, 1, listed, listed ? address(usdc) : address(0), listed ? 5e6 : 0
        );
    }

    function test_listing_taking_back_and_selling_are_told() public {
        bytes memory signature = signed(alice.ownerPk, text());
        expectTold(true);
        send(BEFORE, REST, signature);
        expectTold(false);
        vm.prank(GUARDIAN);
        policy.delist(alice.id, address(assets), tokenId);
        AssetListings.Lot memory again = lot();
        vm.prank(alice.owner);
        expectTold(true);
        policy.list(again);
        Settlement.Deal memory d = unlisted(10e6);
        (bytes memory s, bytes memory b) = signatures(d);
        expectTold(false);
        settlement.settle(d, alice.key, s, bob.key, b);
    }

    function offers(address token, uint80 minPrice, uint16 changes) private view {
        AssetListings.Offer memory offer = policy.offerOf(alice.id, address(assets), tokenId);
        require(offer.token == token && offer.minPrice == minPrice && offer.changes == changes, "the offer");
    }

    function test_every_change_of_a_listing_is_counted_once_and_what_is_over_offers_nothing() public {
        offers(address(0), 0, 0);
        list(alice, address(assets), tokenId);
        offers(address(usdc), 1, 1);
        vm.prank(alice.owner);
        policy.delist(alice.id, address(assets), tokenId);
        offers(address(0), 0, 2);
        list(alice, address(assets), tokenId);
        settle(unlisted(10e6));
        offers(address(0), 0, 4);
    }

    function test_a_text_given_out_lists_nothing_after_the_sale() public {
        list(alice, address(assets), tokenId);
        bytes memory words = bytes(text());
        bytes memory signature = signed(alice.ownerPk, string(words));
        settle(unlisted(10e6));
        vm.prank(address(bob.account));
        assets.transferFrom(address(bob.account), address(alice.account), tokenId);
        vm.expectRevert(abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id));
        send(BEFORE, REST, signature);
    }

    function test_a_refused_deal_leaves_the_listing() public {
        list(alice, address(assets), tokenId);
        Settlement.Deal memory dear = unlisted(501e6);
        (bytes memory s, bytes memory b) = signatures(dear);
        try settlement.settle(dear, alice.key, s, bob.key, b) {
            revert("over the cap");
        } catch {}
        require(isListed(), "still listed");
    }

    function test_only_the_owner_lists_and_the_guardian_may_take_back() public {
        address[3] memory others = [GUARDIAN, alice.key, bob.owner];
        AssetListings.Lot memory wanted = lot();
        for (uint256 i; i < 3; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, alice.id, others[i]));
            policy.list(wanted);
        }
        list(alice, address(assets), tokenId);
        vm.prank(alice.key);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, alice.id, alice.key));
        policy.delist(alice.id, address(assets), tokenId);
        vm.prank(GUARDIAN);
        policy.delist(alice.id, address(assets), tokenId);
        settleRefused(unlisted(10e6), refusal());
    }

    function test_a_listing_is_of_one_token_of_one_contract_and_one_agent() public {
        list(alice, address(assets), tokenId);
        require(!isListed(alice.id, address(assets), tokenId + 1), "token");
        require(!isListed(alice.id, address(usdc), tokenId), "contract");
        require(!isListed(bob.id, address(assets), tokenId), "agent");
    }

    function test_listings_end_when_the_agent_changes_hands() public {
        list(alice, address(assets), tokenId);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, bob.owner, alice.id);
        require(!isListed(), "ended");
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, alice.id);
        require(!isListed(), "also when it comes back");
    }

    function test_the_line_is_the_one_a_wallet_shows() public view {
        string memory wanted = string.concat(
            string.concat("List token 3 of 0x", lower(address(assets)), " for at least 5000000 units of 0x"),
            string.concat(lower(address(usdc)), " by agent ", Strings.toString(alice.id), " of 0x"),
            string.concat(lower(address(nft)), " on chain 31337 under policy 0x", lower(address(policy))),
            string.concat(" for settlement 0x", lower(address(settlement)), ", epoch 1, change 0, until 1760000600.")
        );
        require(keccak256(bytes(line())) == keccak256(bytes(wanted)), line());
    }

    function lower(address a) private pure returns (string memory) {
        bytes memory hexes = new bytes(40);
        for (uint256 i; i < 40; ++i) {
            hexes[i] = bytes("0123456789abcdef")[(uint160(a) >> (4 * (39 - i))) & 15];
        }
        return string(hexes);
    }

    function test_the_owners_signed_text_lists_whoever_sends_it() public {
        send(BEFORE, REST, signed(alice.ownerPk, text()));
        settle(unlisted(10e6));
    }

    function test_a_signed_text_lists_once() public {
        bytes memory signature = signed(alice.ownerPk, text());
        send(BEFORE, REST, signature);
        vm.expectRevert(abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id));
        send(BEFORE, REST, signature);
    }

    function test_a_text_given_out_lists_nothing_after_the_listing_was_taken_back() public {
        bytes memory signature = signed(alice.ownerPk, text());
        vm.prank(alice.owner);
        policy.delist(alice.id, address(assets), tokenId);
        vm.expectRevert(abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id));
        send(BEFORE, REST, signature);
    }

    function test_nothing_is_sold_below_its_listings_minimum_whatever_the_mandate_says() public {
        send(BEFORE, REST, signed(alice.ownerPk, text()));
        settleRefused(
            unlisted(5e6 - 1),
            abi.encodeWithSelector(
                AssetListings.BelowListingMinimum.selector, alice.id, address(assets), tokenId, 5e6 - 1, 5e6
            )
        );
        require(isListed(), "and stays listed");
        settle(unlisted(5e6));
    }

    function test_a_listing_names_a_token_and_a_minimum_and_sells_for_no_other_token() public {
        AssetListings.Lot memory wanted = lot();
        wanted.minPrice = 0;
        vm.startPrank(alice.owner);
        vm.expectRevert(AssetListings.MinimumMissing.selector);
        policy.list(wanted);
        (wanted.minPrice, wanted.token) = (1, address(0));
        vm.expectRevert(AssetListings.MinimumMissing.selector);
        policy.list(wanted);
        wanted.token = SHOP;
        policy.list(wanted);
        vm.stopPrank();
        settleRefused(unlisted(10e6), refusal());
    }

    function test_what_was_never_listed_is_not_sold_for_no_token_either() public {
        ISpendPolicy.TokenCap[] memory c = caps(500e6);
        c[0].token = address(0);
        setMandate(alice, terms(SELL), c);
        setMandate(bob, terms(BUY), c);
        Settlement.Deal memory d = deal(10e6);
        (d.token, d.tokenId) = (address(0), assets.mint(address(alice.account)));
        settleRefused(
            d,
            abi.encodeWithSelector(AssetListings.AssetNotListed.selector, alice.id, address(assets), d.tokenId)
        );
    }

    function test_a_text_signed_by_another_or_over_other_words_lists_nothing() public {
        bytes memory bad = abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id);
        bytes memory byKey = signed(alice.keyPk, text());
        bytes memory byOwner = signed(alice.ownerPk, text());
        (AssetListings.Lot memory wanted, AssetListings.Lot memory other) = (lot(), lot());
        other.tokenId += 1;
        vm.expectRevert(bad);
        send(BEFORE, REST, byKey);
        vm.expectRevert(bad);
        send(BEFORE, "\nother", byOwner);
        vm.expectRevert(bad);
        policy.listByMessage(other, UNTIL, BEFORE, REST, byOwner);
        vm.expectRevert(bad);
        policy.listByMessage(wanted, UNTIL + 1, BEFORE, REST, byOwner);
        wanted.minPrice -= 1;
        vm.expectRevert(bad);
        policy.listByMessage(wanted, UNTIL, BEFORE, REST, byOwner);
        require(!isListed(), "not listed");
    }

    function test_a_text_counts_until_its_deadline() public {
        bytes memory signature = signed(alice.ownerPk, text());
        vm.warp(UNTIL + 1);
        vm.expectRevert(abi.encodeWithSelector(Mandates.SignatureExpired.selector, UNTIL));
        send(BEFORE, REST, signature);
        vm.warp(UNTIL);
        send(BEFORE, REST, signature);
    }

    function test_a_former_owners_text_lists_nothing_even_when_the_agent_came_back() public {
        bytes memory signature = signed(alice.ownerPk, text());
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, bob.owner, alice.id);
        vm.expectRevert(abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id));
        send(BEFORE, REST, signature);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, alice.id);
        vm.expectRevert(abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id));
        send(BEFORE, REST, signature);
    }

    function test_the_line_must_stand_apart() public {
        bytes memory signature = signed(alice.ownerPk, string.concat("Do not ", line(), " ever"));
        vm.expectRevert(AssetListings.LineNotApart.selector);
        send("Do not ", "", signature);
        vm.expectRevert(AssetListings.LineNotApart.selector);
        send("", " ever", signature);
        vm.expectRevert(AssetListings.LineNotApart.selector);
        send("So:\n ", "", signature);
        vm.expectRevert(AssetListings.LineNotApart.selector);
        send("", " \n", signature);
        require(!isListed(), "in a line of other words");
        send("", "", signed(alice.ownerPk, line()));
        require(isListed(), "the line alone");
    }

    function test_one_line_above_and_one_below_are_enough() public {
        send("So:\n", "\nYours", signed(alice.ownerPk, string.concat("So:\n", line(), "\nYours")));
        require(isListed(), "apart");
    }

    function test_a_contract_wallet_lists_by_its_own_word() public {
        ContractWallet none = new ContractWallet(0);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, address(none), alice.id);
        vm.expectRevert(abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id));
        send(BEFORE, REST, "any");
        ContractWallet wallet = new ContractWallet(0);
        vm.prank(address(none));
        nft.transferFrom(address(none), address(wallet), alice.id);
        bytes32 words = MessageHashUtils.toEthSignedMessageHash(bytes(text()));
        vm.etch(address(wallet), address(new ContractWallet(words)).code);
        send(BEFORE, REST, "any");
        require(isListed(), "vouched");
    }
}
