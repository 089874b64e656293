// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {DemoAssets} from "../DemoAssets.sol";
import {DemoNames} from "../DemoNames.sol";
import {Ledger} from "../Ledger.sol";
import {DelayedAccessManager} from "../access/DelayedAccessManager.sol";
import {TestUSDC} from "../TestUSDC.sol";
import {Vm} from "./Vm.sol";

contract TokensTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant PK = 0xA11CE;
    uint256 private constant NOW = 1_760_000_000;
    address private payer;
    address private constant SHOP = address(0x5409);
    TestUSDC private usdc;

    function setUp() public {
        vm.warp(NOW);
        payer = vm.addr(PK);
        usdc = new TestUSDC(address(this));
        usdc.mint(payer, 100e6);
    }

    function sign(bytes32 structHash) private view returns (uint8, bytes32, bytes32) {
        return vm.sign(PK, keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash)));
    }

    function transferHash(uint256 value, uint256 from, uint256 to, bytes32 nonce) private view returns (bytes32) {
        return keccak256(abi.encode(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), payer, SHOP, value, from, to, nonce));
    }

    function pay(uint256 value, uint256 from, uint256 to, bytes32 nonce, bytes memory refusal) private {
        (uint8 v, bytes32 r, bytes32 s) = sign(transferHash(value, from, to, nonce));
        if (refusal.length != 0) vm.expectRevert(refusal);
        usdc.transferWithAuthorization(payer, SHOP, value, from, to, nonce, v, r, s);
    }

    function test_the_token_is_usdc_to_a_client() public view {
        require(usdc.decimals() == 6, "decimals");
        require(keccak256(bytes(usdc.name())) == keccak256("USDC"), "name");
        require(keccak256(bytes(usdc.version())) == keccak256("2"), "version");
        require(
            usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH()
                == 0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267,
            "EIP-3009's own type hash"
        );
        require(
            usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH()
                == 0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8,
            "EIP-3009's own type hash"
        );
        require(
            usdc.CANCEL_AUTHORIZATION_TYPEHASH() == 0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429,
            "EIP-3009's own type hash"
        );
        require(
            usdc.DOMAIN_SEPARATOR()
                == keccak256(
                    abi.encode(
                        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                        keccak256("USDC"),
                        keccak256("2"),
                        block.chainid,
                        address(usdc)
                    )
                ),
            "domain"
        );
    }

    function test_an_authorisation_pays_once_and_in_its_time() public {
        pay(10e6, NOW, NOW + 10, "a", "FiatTokenV2: authorization is not yet valid");
        pay(10e6, 0, NOW, "a", "FiatTokenV2: authorization is expired");
        pay(101e6, 0, NOW + 10, "a", "ERC20: transfer amount exceeds balance");
        pay(10e6, 0, NOW + 10, "a", "");
        require(usdc.balanceOf(SHOP) == 10e6 && usdc.authorizationState(payer, "a"), "paid");
        pay(10e6, 0, NOW + 10, "a", "FiatTokenV2: authorization is used or canceled");
        (uint8 v, bytes32 r, bytes32 s) = sign(transferHash(1, 0, NOW + 10, "b"));
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(payer, SHOP, 2, 0, NOW + 10, "b", v, r, s);
        usdc.transferWithAuthorization(payer, SHOP, 1, 0, NOW + 10, "b", abi.encodePacked(r, s, v));
    }

    function test_an_authorisation_to_receive_is_the_payees() public {
        (uint8 v, bytes32 r, bytes32 s) = sign(
            keccak256(
                abi.encode(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), payer, SHOP, 5e6, 0, NOW + 10, bytes32("c"))
            )
        );
        vm.expectRevert(bytes("FiatTokenV2: caller must be the payee"));
        usdc.receiveWithAuthorization(payer, SHOP, 5e6, 0, NOW + 10, "c", v, r, s);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(payer, SHOP, 5e6, 0, NOW + 10, "c", v, r, s);
        vm.startPrank(SHOP);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.receiveWithAuthorization(payer, SHOP, 6e6, 0, NOW + 10, "c", v, r, s);
        usdc.receiveWithAuthorization(payer, SHOP, 5e6, 0, NOW + 10, "c", v, r, s);
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.receiveWithAuthorization(payer, SHOP, 5e6, 0, NOW + 10, "c", v, r, s);
        vm.stopPrank();
        require(usdc.balanceOf(SHOP) == 5e6, "received");
    }

    function test_a_canceled_authorisation_pays_nothing() public {
        (uint8 v, bytes32 r, bytes32 s) =
            sign(keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), payer, bytes32("d"))));
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.cancelAuthorization(SHOP, "d", v, r, s);
        usdc.cancelAuthorization(payer, "d", v, r, s);
        pay(1, 0, NOW + 10, "d", "FiatTokenV2: authorization is used or canceled");
    }

    function test_a_permit_allows_once_until_its_deadline() public {
        bytes32 hash = keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), payer, SHOP, 7e6, 0, NOW));
        (uint8 v, bytes32 r, bytes32 s) = sign(hash);
        vm.warp(NOW + 1);
        vm.expectRevert(bytes("FiatTokenV2: permit is expired"));
        usdc.permit(payer, SHOP, 7e6, NOW, v, r, s);
        vm.warp(NOW);
        usdc.permit(payer, SHOP, 7e6, NOW, v, r, s);
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(payer, SHOP, 7e6, NOW, v, r, s);
        vm.prank(SHOP);
        vm.expectRevert(bytes("ERC20: transfer amount exceeds allowance"));
        usdc.transferFrom(payer, SHOP, 7e6 + 1);
        vm.prank(SHOP);
        usdc.transferFrom(payer, SHOP, 7e6);
        require(usdc.allowance(payer, SHOP) == 0 && usdc.balanceOf(SHOP) == 7e6, "used up");
    }

    function test_only_the_minter_mints() public {
        vm.prank(SHOP);
        vm.expectRevert(bytes("FiatToken: caller is not a minter"));
        usdc.mint(SHOP, 1);
    }

    function test_the_ledger_anchors_a_root_once_for_its_recorder() public {
        address me = address(this);
        DelayedAccessManager manager =
            new DelayedAccessManager(me, 2 days, DelayedAccessManager.Holders(me, me, me, me, me));
        Ledger ledger = new Ledger(address(manager));
        require(ledger.anchor("root", 3) == 1 && ledger.anchoredAt("root") == NOW, "anchored");
        vm.expectRevert(abi.encodeWithSelector(Ledger.AlreadyAnchored.selector, bytes32("root")));
        ledger.anchor("root", 3);
        vm.expectRevert(abi.encodeWithSelector(Ledger.EmptyBatch.selector));
        ledger.anchor(0, 3);
        vm.expectRevert(abi.encodeWithSelector(Ledger.EmptyBatch.selector));
        ledger.anchor("other", 0);
        vm.prank(SHOP);
        vm.expectRevert(abi.encodeWithSignature("NotInRole(uint64,address)", 2, SHOP));
        ledger.anchor("other", 1);
        require(ledger.anchor("other", 1) == 2 && ledger.batches() == 2, "numbered");
    }

    function test_a_demo_name_is_its_hash_and_goes_to_whoever_comes_first() public {
        DemoNames names = new DemoNames("Names of A", "A", false);
        string[] memory alice = new string[](2);
        (alice[0], alice[1]) = ("alice", "eth");
        vm.prank(SHOP);
        uint256 id = names.register(alice, payer);
        // namehash of alice.eth, by EIP-137's own example.
        require(id == 0x787192fc5378cc32aa956ddfdedbf26b24e8d78e40109add0eea2c1a012c3dec, "its hash");
        require(names.ownerOf(id) == payer, "first");
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidSender.selector, address(0)));
        names.register(alice, SHOP);
    }

    function test_a_demo_name_has_labels_and_top_level_ones_only_where_they_are_given_out() public {
        DemoNames names = new DemoNames("Names of A", "A", false);
        string[] memory one = new string[](1);
        one[0] = "x";
        vm.expectRevert(abi.encodeWithSelector(DemoNames.NotANameHere.selector, 1));
        names.register(one, payer);
        DemoNames both = new DemoNames("Names of B", "B", true);
        require(both.ownerOf(both.register(one, payer)) == payer, "top level");
        string[] memory wrong = new string[](2);
        wrong[1] = "x";
        vm.expectRevert(abi.encodeWithSelector(DemoNames.NotALabel.selector, ""));
        both.register(wrong, payer);
        wrong[0] = "a.b";
        vm.expectRevert(abi.encodeWithSelector(DemoNames.NotALabel.selector, "a.b"));
        both.register(wrong, payer);
        vm.expectRevert(abi.encodeWithSelector(DemoNames.NotANameHere.selector, 3));
        both.register(new string[](3), payer);
    }

    function test_anyone_mints_a_demo_asset() public {
        DemoAssets assets = new DemoAssets();
        vm.prank(SHOP);
        uint256 id = assets.mint(payer);
        require(id == 1 && assets.ownerOf(1) == payer && assets.mint(SHOP) == 2, "minted");
        require(
            keccak256(bytes(assets.tokenURI(1))) == keccak256('data:application/json,{"name":"Demo asset 1"}'), "uri"
        );
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 3));
        assets.tokenURI(3);
    }
}
