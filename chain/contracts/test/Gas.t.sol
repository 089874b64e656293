// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentNFT} from "../AgentNFT.sol";
import {Certificates} from "../Certificates.sol";
import {Ledger} from "../Ledger.sol";
import {IAgentNFT} from "../interfaces/IAgentNFT.sol";
import {Settlement} from "../Settlement.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";

interface IMulticall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    function aggregate3(Call3[] calldata calls) external;
}

/// @dev What the common acts cost as transactions of their own, cold storage, calldata and refunds counted.
contract GasTest is Base {
    // Forge prints events of this name.
    event log_named_uint(string key, uint256 val);

    function setUp() public {
        deployWithParties();
        usdc.mint(SHOP, 1);
        usdc.mint(TREASURY, 1);
    }

    function hold(string memory what, uint256 limit) private {
        uint256 used = vm.lastCallGas().gasTotalUsed;
        emit log_named_uint(what, used);
        require(used <= limit, what);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_mint_with_account_mandate_caps_and_key() public {
        AgentNFT.MintOrder memory o = order(bob.owner, bob.key, terms(BUY), caps(50e6, 100e6, 0, 0, 1_000e6, 0));
        nft.mint(o);
        hold("mint", 310_000);
    }

    /// @dev One payment leaves each window for every one that enters.
    function steady(ISpendPolicy.TokenCap[] memory c) private {
        setMandate(bob, terms(BUY), c);
        uint256 now_ = START;
        for (uint256 i; i < 40; ++i) {
            now_ += 5 hours;
            vm.warp(now_);
            spend(bob, 5e6);
        }
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_steady_spend_under_one_cap() public {
        steady(caps(50e6));
        hold("spend: per deal", 82_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_steady_spend_under_the_usual_caps() public {
        steady(caps(50e6, 100e6, 0, 0, 900e6, 0));
        hold("spend: per deal, day, total", 90_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_steady_spend_under_every_cap() public {
        steady(caps(50e6, 100e6, 400e6, 900e6, 900e6, 0));
        hold("spend: every cap", 98_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_spend_after_a_long_pause() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 400e6, 900e6, 900e6, 0));
        for (uint256 i; i < 200; ++i) {
            spend(bob, 0.1e6);
        }
        vm.warp(START + 8 days);
        spend(bob, 5e6);
        hold("spend after 200 in a burst", 180_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_deal() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 400e6, 900e6, 900e6, 0));
        settle(deal(10e6));
        vm.warp(START + 1 hours);
        settle(deal(10e6));
        hold("settle", 255_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_name_sold() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 400e6, 900e6, 900e6, 0));
        settle(deal(10e6));
        vm.warp(START + 1 hours);
        Settlement.Deal memory d = deal(10e6);
        bytes32 digest = settlement.hashNameDeal(d);
        settlement.settleName(d, alice.key, sign(alice.keyPk, digest), bob.key, sign(bob.keyPk, digest));
        hold("settle: a name", 300_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_an_agent_sold_as_it_was_quoted() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 400e6, 900e6, 900e6, 0));
        settle(deal(10e6));
        vm.warp(START + 1 hours);
        for (uint256 i; i < 2; ++i) {
            Party memory carol = party(0xCA401 + i, terms(BUY), caps(50e6));
            enter(carol, alice);
            settle(dealOver(address(nft), carol.id, 10e6));
        }
        hold("settle: an agent as quoted", 290_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_twenty_deals_at_once() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 400e6, 900e6, 900e6, 0));
        settle(deal(1e6));
        Settlement.Signed[] memory deals = new Settlement.Signed[](20);
        for (uint256 i; i < 20; ++i) {
            Settlement.Deal memory d = deal(1e6);
            bytes32 digest = settlement.hashDeal(d);
            deals[i] =
                Settlement.Signed(d, false, alice.key, sign(alice.keyPk, digest), bob.key, sign(bob.keyPk, digest));
        }
        settlement.settleMany(deals);
        uint256 used = vm.lastCallGas().gasTotalUsed / 20;
        emit log_named_uint("settleMany: a deal of twenty", used);
        require(used <= 215_000, "settleMany");
    }

    /// forge-config: default.isolate = true
    function test_gas_of_twenty_deals_of_twenty_pairs_at_once() public {
        Settlement.Signed[] memory deals = new Settlement.Signed[](20);
        for (uint256 i; i < 20; ++i) {
            alice = party(0xAA00 + i, terms(SELL), caps(50e6));
            bob = party(0xBB00 + i, terms(BUY), caps(50e6, 100e6, 0, 0, 900e6, 0));
            // Both have acted before, and the buyer holds an asset already.
            spend(bob, 1);
            assets.mint(address(bob.account));
            vm.prank(alice.owner);
            alice.account.execute(SHOP, 0, "", 0);
            Settlement.Deal memory d = deal(1e6);
            bytes32 digest = settlement.hashDeal(d);
            deals[i] =
                Settlement.Signed(d, false, alice.key, sign(alice.keyPk, digest), bob.key, sign(bob.keyPk, digest));
        }
        settlement.settleMany(deals);
        uint256 used = vm.lastCallGas().gasTotalUsed / 20;
        emit log_named_uint("settleMany: a deal of twenty pairs", used);
        require(used <= 215_000, "settleMany");
    }

    /// @dev The code that local chains get, out of the file that holds it.
    function multicall3() private returns (IMulticall3 at) {
        bytes memory file = bytes(vm.readFile("chain/deploy/multicall3-code.ts"));
        uint256 begin;
        while (keccak256(slice(file, begin, 8)) != keccak256("'0x60806")) ++begin;
        uint256 end = ++begin;
        while (file[end] != "'") ++end;
        at = IMulticall3(0xcA11bde05977b3631167028862bE2a173976CA11);
        vm.etch(address(at), vm.parseBytes(string(slice(file, begin, end - begin))));
    }

    function slice(bytes memory from, uint256 begin, uint256 length) private pure returns (bytes memory part) {
        part = new bytes(length);
        for (uint256 i; i < length; ++i) {
            part[i] = from[begin + i];
        }
    }

    /// @dev An EIP-3009 payment by a payer's plain key, as the facilitator sends it.
    function payment(uint256 pk, bytes32 nonce) private returns (bytes memory) {
        address payer = vm.addr(pk);
        usdc.mint(payer, 2e6);
        uint256 before = block.timestamp + 600;
        bytes32 terms_ =
            keccak256(abi.encode(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), payer, SHOP, 1e6, 0, before, nonce));
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(pk, keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), terms_)));
        return abi.encodeWithSignature(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
            payer, SHOP, 1e6, 0, before, nonce, v, r, s
        );
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_payment_alone_and_in_a_group_of_twenty() public {
        (bool done,) = address(usdc).call(payment(0xBEEF, "alone"));
        uint256 alone = vm.lastCallGas().gasTotalUsed;
        require(done, "alone");
        emit log_named_uint("payment", alone);
        IMulticall3 multicall = multicall3();
        IMulticall3.Call3[] memory calls = new IMulticall3.Call3[](20);
        for (uint256 i; i < 20; ++i) {
            calls[i] = IMulticall3.Call3(address(usdc), true, payment(0xF00 + i, keccak256(abi.encode(i))));
        }
        uint256 held = usdc.balanceOf(SHOP);
        (done,) = address(multicall).call(abi.encodeCall(IMulticall3.aggregate3, (calls)));
        uint256 used = vm.lastCallGas().gasTotalUsed / 20;
        require(done && usdc.balanceOf(SHOP) == held + 20e6, "all twenty happened");
        emit log_named_uint("payment: one of twenty", used);
        require(used <= 50_000, "payment: one of twenty");
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_payment_authorised_ahead() public {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 0, 0, 900e6, 0));
        for (uint256 i = 1; i <= 2; ++i) {
            vm.prank(bob.key);
            bob.account.authorizePayment(address(usdc), SHOP, 1e6, 0, block.timestamp + 600, bytes32(i), "ref");
        }
        hold("authorizePayment", 160_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_transfer_of_an_agent() public {
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, SHOP, bob.id);
        hold("transfer of an agent", 80_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_batch_anchored() public {
        Ledger ledger = new Ledger(address(manager));
        ledger.anchor("first", 1_000);
        ledger.anchor("second", 1_000);
        hold("anchor", 60_000);
    }

    function certificatesOf(address issuer) private returns (Certificates) {
        return new Certificates(allTo(issuer), IAgentNFT(nft), address(settlement));
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_certificate() public {
        Certificates certificates = certificatesOf(address(this));
        certificates.issue(address(alice.account), "serial:vin:1HGCM82633A004351", false);
        certificates.issue(address(alice.account), "serial:vin:1HGCM82633A004352", false);
        hold("certificate", 220_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_certificate_transferred_by_its_owners_signature() public {
        Certificates certificates = certificatesOf(address(this));
        uint256 id = certificates.issue(address(alice.account), "serial:vin:1HGCM82633A004352", false);
        bytes32 content = keccak256(
            abi.encode(
                keccak256("Transfer(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)"),
                id,
                address(alice.account),
                SHOP,
                certificates.nonces(id),
                FAR
            )
        );
        (, string memory name, string memory version, uint256 chainId, address place,,) = certificates.eip712Domain();
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                place
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, content));
        certificates.transferBySig(id, SHOP, FAR, sign(alice.ownerPk, digest));
        hold("certificate: transfer by signature", 110_000);
    }
}
