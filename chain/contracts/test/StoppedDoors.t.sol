// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../AgentAccount.sol";
import {AssetListings} from "../AssetListings.sol";
import {Brakes} from "../Brakes.sol";
import {Settlement} from "../Settlement.sol";
import {SpendPolicy} from "../SpendPolicy.sol";
import {IAgentAccount} from "../interfaces/IAgentAccount.sol";
import {IAgentNFT} from "../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Cast} from "./Cast.sol";

/**
 * @dev Every door that a brake stops, and every door of the owner, which none stops. What owners sign is tried under the
 * brakes beside this, with the wrong signers.
 */
contract StoppedDoorsTest is Cast {
    uint256 private constant BRAKES = 4;

    function setUp() public {
        setUpCast();
    }

    /// @dev The owner's pause, the guardian's of one agent, the guardian's of all, and all of them.
    function pull(uint256 brake, Party memory p) private {
        if (brake == 3) return stopEverything(p);
        vm.prank(brake == 0 ? p.owner : GUARDIAN);
        if (brake == 2) policy.pauseAll(72 hours);
        else policy.setPaused(p.id, true);
    }

    function refusalOf(uint256 brake, Party memory p) private view returns (bytes memory) {
        return brake < 2
            ? abi.encodeWithSelector(SpendPolicy.AgentPaused.selector, p.id)
            : abi.encodeWithSelector(Brakes.EverythingPaused.selector, block.timestamp + 72 hours);
    }

    /// @dev The door opens, and under each brake it is refused in the brake's own words.
    function stops(string memory name, Party memory p, address from, address to, bytes memory call) private {
        for (uint256 brake; brake <= BRAKES; ++brake) {
            uint256 before = vm.snapshotState();
            if (brake < BRAKES) pull(brake, p);
            vm.prank(from);
            (bool opened, bytes memory answer) = to.call(call);
            if (brake == BRAKES) require(opened, string.concat(name, " is closed without a brake"));
            else require(!opened && same(answer, refusalOf(brake, p)), string.concat(name, " goes on"));
            vm.revertToState(before);
        }
    }

    /// @dev The door opens under each brake.
    function goesOn(string memory name, Party memory p, address to, bytes memory call) private {
        for (uint256 brake; brake < BRAKES; ++brake) {
            uint256 before = vm.snapshotState();
            pull(brake, p);
            vm.prank(p.owner);
            (bool opened,) = to.call(call);
            require(opened, string.concat(name, " is stopped"));
            vm.revertToState(before);
        }
    }

    function same(bytes memory a, bytes memory b) private pure returns (bool) {
        return keccak256(a) == keccak256(b);
    }

    // What the brakes stop

    function test_every_brake_stops_payments_of_every_key() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            (Party memory p, AgentAccount account) = (both[i].p, both[i].p.account);
            address[2] memory keys = [p.key, both[i].otherKey];
            for (uint256 k; k < 2; ++k) {
                bytes memory call = abi.encodeCall(account.spend, (address(usdc), SHOP, 1e6, "ref"));
                stops("AgentAccount.spend", p, keys[k], address(account), call);
                call = abi.encodeCall(
                    account.authorizePayment, (address(usdc), SHOP, 1e6, 0, block.timestamp + 60, "n", "")
                );
                stops("AgentAccount.authorizePayment", p, keys[k], address(account), call);
                call = abi.encodeCall(policy.bookPayment, (p.id, keys[k], address(usdc), SHOP, 1e6));
                stops("SpendPolicy.bookPayment", p, address(account), address(policy), call);
            }
        }
    }

    function test_every_brake_stops_what_a_settlement_asks_of_an_account() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            (Party memory p, address account) = (both[i].p, address(both[i].p.account));
            uint256 lot = assets.mint(account);
            list(p, address(assets), lot);
            IAgentAccount.Trade memory trade =
                IAgentAccount.Trade(p.key, address(other.account), address(usdc), 10e6, RWA);
            bytes memory call = abi.encodeCall(IAgentAccount.payDeal, (trade, 1e6, TREASURY));
            stops("AgentAccount.payDeal", p, address(settlement), account, call);
            call = abi.encodeCall(IAgentAccount.deliverDeal, (trade, address(assets), lot, true));
            stops("AgentAccount.deliverDeal", p, address(settlement), account, call);
            ISpendPolicy.Purchase memory bought = ISpendPolicy.Purchase(p.key, address(usdc), SHOP, 1e6, RWA);
            call = abi.encodeCall(policy.bookPurchase, (p.id, address(settlement), bought));
            stops("SpendPolicy.bookPurchase", p, account, address(policy), call);
            ISpendPolicy.Sale memory sold =
                ISpendPolicy.Sale(p.key, address(assets), lot, SHOP, address(usdc), 1e6, RWA);
            call = abi.encodeCall(policy.bookSale, (p.id, address(settlement), sold));
            stops("SpendPolicy.bookSale", p, account, address(policy), call);
        }
    }

    function test_every_brake_stops_deals_of_the_seller_and_of_the_buyer() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            dealsStop(both[i].p, both[i].p, other);
            dealsStop(both[i].p, other, both[i].p);
        }
    }

    function dealsStop(Party memory p, Party memory seller, Party memory buyer) private {
        (alice, bob) = (seller, buyer);
        Settlement.Deal memory d = deal(10e6);
        (bytes memory s, bytes memory b) = signatures(d);
        address to = address(settlement);
        stops("Settlement.settle", p, STRANGER, to, abi.encodeCall(settlement.settle, (d, alice.key, s, bob.key, b)));
        Settlement.Signed[] memory all = new Settlement.Signed[](1);
        all[0] = Settlement.Signed(d, false, alice.key, s, bob.key, b);
        // Alone it is refused, of many it is left out.
        stops("Settlement.settleOne", p, to, to, abi.encodeCall(settlement.settleOne, (all[0])));
        for (uint256 brake; brake < BRAKES; ++brake) {
            uint256 before = vm.snapshotState();
            pull(brake, p);
            require(!settlement.settleMany(all)[0], "Settlement.settleMany");
            vm.revertToState(before);
        }
        bytes32 digest = settlement.hashNameDeal(d);
        (s, b) = (sign(alice.keyPk, digest), sign(bob.keyPk, digest));
        bytes memory call = abi.encodeCall(settlement.settleName, (d, alice.key, s, bob.key, b));
        stops("Settlement.settleName", p, STRANGER, to, call);
    }

    function test_every_brake_stops_a_booked_payment_from_being_collected() public {
        Party memory p = plain.p;
        vm.prank(p.key);
        bytes32 digest = p.account.authorizePayment(address(usdc), SHOP, 1e6, 0, block.timestamp + 60, "n", "");
        bytes memory word = abi.encodePacked(p.key, sign(p.keyPk, digest));
        for (uint256 brake; brake <= BRAKES; ++brake) {
            uint256 before = vm.snapshotState();
            if (brake < BRAKES) pull(brake, p);
            require((p.account.isValidSignature(digest, word) == 0x1626ba7e) == (brake == BRAKES), "vouched for");
            vm.revertToState(before);
        }
    }

    // What no brake stops

    function test_no_brake_stops_the_owners_doors_of_account_and_token() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            (Party memory p, uint256 id, address to) = (both[i].p, both[i].p.id, address(nft));
            bytes memory call = abi.encodeCall(usdc.transfer, (p.owner, 100e6));
            call = abi.encodeCall(p.account.execute, (address(usdc), 0, call, 0));
            goesOn("AgentAccount.execute", p, address(p.account), call);
            goesOn("AgentNFT.setAgentURI", p, to, abi.encodeCall(nft.setAgentURI, (id, "x")));
            goesOn("AgentNFT.setMetadata", p, to, abi.encodeCall(nft.setMetadata, (id, "k", "v")));
            goesOn("AgentNFT.approve", p, to, abi.encodeCall(nft.approve, (SHOP, id)));
            goesOn("AgentNFT.setApprovalForAll", p, to, abi.encodeCall(nft.setApprovalForAll, (SHOP, true)));
            goesOn("AgentNFT.transferFrom", p, to, abi.encodeCall(nft.transferFrom, (p.owner, SHOP, id)));
            call = abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", p.owner, SHOP, id);
            goesOn("AgentNFT.safeTransferFrom/3", p, to, call);
            call = abi.encodeWithSignature("safeTransferFrom(address,address,uint256,bytes)", p.owner, SHOP, id, "x");
            goesOn("AgentNFT.safeTransferFrom/4", p, to, call);
            SpendPolicy newer = new SpendPolicy(address(this), address(manager));
            newer.bind(IAgentNFT(nft), address(settlement), address(certificates));
            nft.admitPolicy(newer);
            goesOn("AgentNFT.bindPolicy", p, to, abi.encodeCall(nft.bindPolicy, (id, newer)));
        }
    }

    function test_no_brake_stops_the_owners_doors_of_the_policy() public {
        Settlement second = new Settlement(IAgentNFT(nft), address(manager), TREASURY);
        policy.admitSettlement(address(second));
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            (Party memory p, uint256 id, address to) = (both[i].p, both[i].p.id, address(policy));
            AssetListings.Lot memory lot = lotOf(p, address(assets), assets.mint(address(p.account)), 1);
            bytes memory call = abi.encodeCall(policy.setMandate, (id, terms(BUY), caps(1), none(), none()));
            goesOn("SpendPolicy.setMandate", p, to, call);
            goesOn("SpendPolicy.grantKey", p, to, abi.encodeCall(policy.grantKey, (id, SHOP, FAR)));
            goesOn("SpendPolicy.revokeKey", p, to, abi.encodeCall(policy.revokeKey, (id, p.key)));
            goesOn("SpendPolicy.setPaused", p, to, abi.encodeCall(policy.setPaused, (id, true)));
            goesOn("SpendPolicy.setPaused", p, to, abi.encodeCall(policy.setPaused, (id, false)));
            goesOn("SpendPolicy.list", p, to, abi.encodeCall(policy.list, (lot)));
            list(p, lot.asset, lot.tokenId);
            goesOn("SpendPolicy.delist", p, to, abi.encodeCall(policy.delist, (id, lot.asset, lot.tokenId)));
            call = abi.encodeCall(policy.bindSettlement, (id, address(second)));
            goesOn("SpendPolicy.bindSettlement", p, to, call);
        }
    }
}
