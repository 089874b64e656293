// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AssetListings} from "../../AssetListings.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {Base} from "../Base.sol";
import {TrickAsset} from "../Tokens.sol";

/// @dev Burns all the gas it is given, or refuses with more words than anyone pays for.
contract HostileAsset {
    bool private immutable LOUD;

    constructor(bool loud) {
        LOUD = loud;
    }

    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }

    function ownerOf(uint256) external view returns (address) {
        if (!LOUD) assembly {
            invalid()
        }
        assembly {
            revert(0, 100000)
        }
    }
}

/// @dev Many deals in one transaction: each settles or fails by itself.
contract SettleManyTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function signed(Settlement.Deal memory d, bool isName) private view returns (Settlement.Signed memory) {
        bytes32 digest = isName ? settlement.hashNameDeal(d) : settlement.hashDeal(d);
        return
            Settlement.Signed(d, isName, alice.key, sign(alice.keyPk, digest), bob.key, sign(bob.keyPk, digest));
    }

    function many(uint256 count, uint128 price) private returns (Settlement.Signed[] memory deals) {
        deals = new Settlement.Signed[](count);
        for (uint256 i; i < count; ++i) {
            deals[i] = signed(deal(price), false);
        }
    }

    function test_one_that_is_refused_leaves_the_others_and_is_told_with_its_reason() public {
        Settlement.Signed[] memory deals = many(4, 10e6);
        deals[3] = signed(deals[3].deal, true);
        vm.prank(alice.owner);
        policy.delist(alice.id, address(assets), deals[1].deal.tokenId);
        vm.expectEmit(address(settlement));
        emit Settlement.DealFailed(
            deals[1].deal.dealId,
            address(alice.account),
            address(bob.account),
            abi.encodeWithSelector(
                AssetListings.AssetNotListed.selector, alice.id, address(assets), deals[1].deal.tokenId
            )
        );
        bool[] memory settled = settlement.settleMany(deals);
        for (uint256 i; i < 4; ++i) {
            require(settled[i] == (i != 1), "told");
            bool there = assets.ownerOf(deals[i].deal.tokenId) == address(bob.account);
            bool marked = settlement.settledAt(address(alice.account), address(bob.account), deals[i].deal.dealId) != 0;
            require(there == (i != 1) && marked == (i != 1), "done");
        }
        require(usdc.balanceOf(TREASURY) == 0.2e6 + 0.2e6 + 0.5e6, "each with its own fee");
        require(policy.spentTotal(bob.id, address(usdc)) == 30.25e6, "and nothing of the failed one is booked");
        // What failed may settle later.
        list(alice, address(assets), deals[1].deal.tokenId);
        require(settlement.settleMany(one(deals[1]))[0], "later");
    }

    function one(Settlement.Signed memory deal_) private pure returns (Settlement.Signed[] memory deals) {
        deals = new Settlement.Signed[](1);
        deals[0] = deal_;
    }

    function test_a_deal_that_stands_twice_settles_once() public {
        Settlement.Signed[] memory deals = new Settlement.Signed[](2);
        deals[0] = signed(deal(10e6), false);
        deals[1] = deals[0];
        bool[] memory settled = settlement.settleMany(deals);
        require(settled[0] && !settled[1] && usdc.balanceOf(TREASURY) == 0.2e6, "once");
    }

    function test_the_caps_hold_over_all_of_them_together() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 0, 0, 0, 0));
        Settlement.Signed[] memory deals = many(3, 40e6);
        bool[] memory settled = settlement.settleMany(deals);
        require(settled[0] && settled[1] && !settled[2], "the third is beyond the day");
    }

    function test_a_hostile_asset_burns_its_own_share_of_gas_and_stops_nobody() public {
        Settlement.Signed[] memory deals = many(3, 10e6);
        Settlement.Deal memory burner = dealOver(address(new HostileAsset(false)), 1, 10e6);
        Settlement.Deal memory loud = dealOver(address(new HostileAsset(true)), 1, 10e6);
        (deals[0], deals[1]) = (signed(burner, false), signed(loud, false));
        uint256 before = gasleft();
        bool[] memory settled = settlement.settleMany(deals);
        uint256 used = before - gasleft();
        require(!settled[0] && !settled[1] && settled[2], "the last one settles");
        require(used < 2 * settlement.DEAL_GAS() + 400_000, "two shares and one deal");
    }

    function test_a_sender_cannot_make_a_deal_fail_by_giving_little_gas() public {
        Settlement.Signed[] memory deals = many(2, 10e6);
        bytes memory call = abi.encodeCall(settlement.settleMany, (deals));
        for (uint256 gas_ = 300_000; gas_ < 2_000_000; gas_ += 50_000) {
            (bool success, bytes memory answer) = address(settlement).call{gas: gas_}(call);
            if (!success) continue;
            bool[] memory settled = abi.decode(answer, (bool[]));
            require(settled[0] && settled[1], "all or nothing for want of gas");
            return;
        }
        revert("never enough");
    }

    function test_only_the_contract_itself_settles_one_of_many_and_nothing_comes_in_between() public {
        Settlement.Signed memory s = signed(deal(10e6), false);
        vm.expectRevert(abi.encodeWithSelector(Settlement.NotSelf.selector, address(this)));
        settlement.settleOne(s);
        TrickAsset trick = new TrickAsset();
        trick.mint(address(alice.account), 1);
        Settlement.Signed memory inner = signed(deal(10e6), false);
        trick.arm(address(settlement), abi.encodeCall(settlement.settleMany, (one(inner))));
        require(settlement.settleMany(one(signed(dealOver(address(trick), 1, 10e6), false)))[0], "the outer one");
        require(!trick.succeeded(), "the inner one was refused");
    }

    function test_there_are_one_to_twenty() public {
        vm.expectRevert(abi.encodeWithSelector(Settlement.DealCount.selector, 0));
        settlement.settleMany(new Settlement.Signed[](0));
        vm.expectRevert(abi.encodeWithSelector(Settlement.DealCount.selector, 21));
        settlement.settleMany(new Settlement.Signed[](21));
        bool[] memory settled = settlement.settleMany(many(20, 1e6));
        for (uint256 i; i < 20; ++i) require(settled[i], "each");
    }
}
