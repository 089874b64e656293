// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../../AgentAccount.sol";
import {DemoAssets} from "../../DemoAssets.sol";
import {Settlement} from "../../Settlement.sol";
import {Base} from "../Base.sol";

/// @dev A deal id belongs to the two agents that signed it.
contract DealIdsTest is Base {
    Party private eve;
    Party private mallory;

    function setUp() public {
        deployWithParties();
        eve = party(0x6661, terms(BUY | SELL), caps(10e6));
        mallory = party(0x6662, terms(BUY | SELL), caps(10e6));
    }

    /// @dev Junk for one unit, under somebody else's id, in the way asked for.
    function squat(bytes32 dealId, Party memory seller, Party memory buyer, bool asName) private {
        DemoAssets junk = new DemoAssets();
        uint256 id = junk.mint(address(seller.account));
        list(seller, address(junk), id);
        Settlement.Deal memory d = Settlement.Deal({
            dealId: dealId,
            seller: address(seller.account),
            buyer: address(buyer.account),
            asset: address(junk),
            tokenId: id,
            token: address(usdc),
            price: 1,
            category: 0,
            deadline: uint48(block.timestamp + 60),
            state: 0
        });
        bytes32 digest = asName ? settlement.hashNameDeal(d) : settlement.hashDeal(d);
        (bytes memory s, bytes memory b) = (sign(seller.keyPk, digest), sign(buyer.keyPk, digest));
        if (asName) settlement.settleName(d, seller.key, s, buyer.key, b);
        else settlement.settle(d, seller.key, s, buyer.key, b);
    }

    function test_strangers_who_settle_under_a_known_id_leave_the_deal_to_its_pair() public {
        Settlement.Deal memory d = deal(100e6);
        squat(d.dealId, eve, mallory, false);
        squat(d.dealId, mallory, eve, true);
        squat(d.dealId, eve, bob, false);
        squat(d.dealId, alice, eve, true);
        // The pair itself, the other way round, is another pair.
        squat(d.dealId, bob, alice, false);
        require(settlement.settledAt(d.seller, d.buyer, d.dealId) == 0, "the chain does not say it settled");
        settle(d);
        require(settlement.settledAt(d.seller, d.buyer, d.dealId) == START, "now it does");
        require(assets.ownerOf(d.tokenId) == address(bob.account), "asset");
    }

    function test_a_pair_settles_an_id_once_as_a_deal_or_as_a_name() public {
        Settlement.Deal memory d = deal(100e6);
        squat(d.dealId, alice, bob, true);
        settleRefused(d, abi.encodeWithSelector(Settlement.DealAlreadySettled.selector, d.dealId));
    }

    function testFuzz_marks_of_different_pairs_and_ids_never_meet(address a, address b, bytes32 id) public view {
        vm.assume(a != b);
        bytes32 key = settlement.dealKey(a, b, id);
        require(key != settlement.dealKey(b, a, id) && key != settlement.dealKey(a, b, keccak256(abi.encode(id))), "apart");
    }

    function test_a_deal_is_marked_by_seller_buyer_and_id() public view {
        bytes32 key = settlement.dealKey(address(1), address(2), "id");
        require(key == keccak256(abi.encode(address(1), address(2), bytes32("id"))), "in this order");
        require(key != settlement.dealKey(address(2), address(1), "id"), "and no other");
    }
}
