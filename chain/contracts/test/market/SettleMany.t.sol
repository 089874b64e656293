// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {AssetListings} from "../../AssetListings.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {Base} from "../Base.sol";
import {TrickAsset} from "../Tokens.sol";
import {Vm} from "../Vm.sol";

/// @dev Burns all the gas it is given, or refuses with more words than anyone pays for.
contract HostileAsset {
    bool private immutable LOUD;

    constructor(bool loud) {
        LOUD = loud;
    }

    /// @dev As ERC-165 has it; else nobody asks it further.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id != 0xffffffff;
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

/// @dev Refuses with as many bytes as it is told to, each its own.
contract WordyAsset {
    uint256 public words;

    function say(uint256 bytes_) external {
        words = bytes_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id != 0xffffffff;
    }

    function ownerOf(uint256) external view {
        bytes memory said = spoken(words);
        assembly {
            revert(add(said, 0x20), mload(said))
        }
    }

    function spoken(uint256 bytes_) public pure returns (bytes memory said) {
        said = new bytes(bytes_);
        for (uint256 i; i < bytes_; ++i) {
            said[i] = bytes1(uint8(i + 1));
        }
    }
}

/// @dev Burns as much gas as it is told to when it is moved.
contract HeavyAsset is ERC721("Heavy", "HEAVY") {
    uint256 public burns;

    function burn(uint256 gas_) external {
        burns = gas_;
    }

    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function transferFrom(address from, address to, uint256 id) public override {
        uint256 until = gasleft() > burns ? gasleft() - burns : 0;
        while (gasleft() > until) {}
        super.transferFrom(from, to, id);
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

    function test_nor_a_deal_that_needs_all_that_each_may_burn() public {
        HeavyAsset heavy = new HeavyAsset();
        heavy.mint(address(alice.account), 1);
        Settlement.Signed[] memory deals = one(signed(dealOver(address(heavy), 1, 10e6), false));
        (uint256 most, uint256 tooMuch) = (0, 600_000);
        while (tooMuch - most > 1_000) {
            uint256 middle = (most + tooMuch) / 2;
            heavy.burn(middle);
            uint256 before = vm.snapshotState();
            bool settles = settlement.settleMany(deals)[0];
            vm.revertToState(before);
            (most, tooMuch) = settles ? (middle, tooMuch) : (most, middle);
        }
        heavy.burn(most);
        bytes memory call = abi.encodeCall(settlement.settleMany, (deals));
        for (uint256 gas_ = 500_000; gas_ < 800_000; gas_ += 2_500) {
            (bool success, bytes memory answer) = address(settlement).call{gas: gas_}(call);
            if (!success) continue;
            require(abi.decode(answer, (bool[]))[0], "all or nothing for want of gas");
            return;
        }
        revert("never enough");
    }

    function test_no_deal_settles_in_the_middle_of_another() public {
        Settlement.Signed memory inner = signed(deal(10e6), false);
        bytes[2] memory doors = [
            abi.encodeCall(settlement.settleMany, (one(inner))),
            abi.encodeCall(
                settlement.settle,
                (inner.deal, inner.sellerKey, inner.sellerSignature, inner.buyerKey, inner.buyerSignature)
            )
        ];
        for (uint256 i; i < 4; ++i) {
            TrickAsset trick = new TrickAsset();
            trick.mint(address(alice.account), 1);
            trick.arm(address(settlement), doors[i % 2]);
            Settlement.Deal memory outer = dealOver(address(trick), 1, 10e6);
            if (i < 2) settle(outer);
            else require(settlement.settleMany(one(signed(outer, false)))[0], "the outer one");
            require(trick.ownerOf(1) == address(bob.account) && !trick.succeeded(), "the inner one was refused");
        }
        settle(inner.deal);
    }

    function test_what_is_told_of_a_refusal_ends_after_256_bytes() public {
        Settlement.Deal memory loud = dealOver(address(new HostileAsset(true)), 1, 10e6);
        vm.recordLogs();
        settlement.settleMany(one(signed(loud, false)));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs[logs.length - 1].topics[0] == Settlement.DealFailed.selector, "the failure");
        bytes memory reason = abi.decode(logs[logs.length - 1].data, (bytes));
        require(reason.length == 256, "as long as is told");
        require(settlement.DEAL_GAS() == 600_000, "what each may burn");
    }

    function test_a_refusal_of_any_length_is_told_as_it_was_said() public {
        WordyAsset wordy = new WordyAsset();
        Settlement.Signed[] memory deals = one(signed(dealOver(address(wordy), 1, 10e6), false));
        for (uint256 bytes_ = 1; bytes_ < 100; ++bytes_) {
            wordy.say(bytes_);
            vm.recordLogs();
            settlement.settleMany(deals);
            Vm.Log[] memory logs = vm.getRecordedLogs();
            bytes memory reason = abi.decode(logs[logs.length - 1].data, (bytes));
            require(keccak256(reason) == keccak256(wordy.spoken(bytes_)), "byte by byte");
        }
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
