// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DemoNames} from "../../DemoNames.sol";
import {Certificates} from "../../Certificates.sol";
import {Settlement} from "../../Settlement.sol";
import {Roles} from "../../access/Roles.sol";
import {Cast} from "../Cast.sol";

/// @dev Every door of the settlement, the certificates, the ledger and the local chains' tokens, for everybody who may
/// not pass it. The doors that take a signature are tried beside this.
contract WrongCallersOfTheMarketTest is Cast {
    string private constant SERIAL = "serial:vin:1HGCM82633A004352";

    function setUp() public {
        setUpCast();
    }

    function test_only_the_settlement_calls_what_settles_one_of_many() public {
        (alice, bob) = (plain.p, other);
        Settlement.Deal memory d = deal(10e6);
        (bytes memory s, bytes memory b) = signatures(d);
        door(
            "Settlement.settleOne",
            address(settlement),
            abi.encodeCall(settlement.settleOne, (Settlement.Signed(d, false, alice.key, s, bob.key, b))),
            abi.encodeWithSelector(Settlement.NotSelf.selector, WHO),
            one(address(settlement))
        );
    }

    function certificate(Subject memory x) private returns (uint256) {
        vm.prank(ISSUER);
        return certificates.issue(address(x.p.account), SERIAL, false);
    }

    function test_only_the_issuer_issues() public {
        address to = address(certificates);
        bytes memory call = abi.encodeCall(certificates.issue, (SHOP, SERIAL, true));
        door("Certificates.issue", to, call, lacks(Roles.ISSUER), one(ISSUER));
        call = abi.encodeCall(certificates.setBaseURI, ("x"));
        door("Certificates.setBaseURI", to, call, lacks(Roles.ISSUER), one(ISSUER));
    }

    function test_only_who_controls_a_certificate_and_the_issuer_end_it() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            uint256 before = vm.snapshotState();
            uint256 id = certificate(both[i]);
            require(certificates.controllerOf(id) == both[i].controller, "the wallet at the top");
            door(
                "Certificates.retire",
                address(certificates),
                abi.encodeCall(certificates.retire, (id, "reported stolen")),
                abi.encodeWithSelector(Certificates.NotController.selector, id, WHO),
                list_(address(both[i].p.account), both[i].controller, ISSUER)
            );
            vm.revertToState(before);
        }
    }

    function test_only_the_account_that_holds_a_certificate_moves_it() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            uint256 before = vm.snapshotState();
            string[4] memory doors = [
                "Certificates.approve",
                "Certificates.transferFrom",
                "Certificates.safeTransferFrom/3",
                "Certificates.safeTransferFrom/4"
            ];
            collectionHolds(doors, address(certificates), certificate(both[i]), address(both[i].p.account));
            vm.revertToState(before);
        }
    }

    function test_only_the_holder_moves_a_demo_asset() public {
        string[4] memory doors = [
            "DemoAssets.approve",
            "DemoAssets.transferFrom",
            "DemoAssets.safeTransferFrom/3",
            "DemoAssets.safeTransferFrom/4"
        ];
        address holder = address(plain.p.account);
        collectionHolds(doors, address(assets), assets.mint(holder), holder);
    }

    function test_only_the_holder_moves_a_demo_name() public {
        string[4] memory doors = [
            "DemoNames.approve",
            "DemoNames.transferFrom",
            "DemoNames.safeTransferFrom/3",
            "DemoNames.safeTransferFrom/4"
        ];
        address holder = address(plain.p.account);
        DemoNames names = new DemoNames("Names", "N", true);
        string[] memory labels = new string[](1);
        labels[0] = "x";
        collectionHolds(doors, address(names), names.register(labels, holder), holder);
    }

    /// @dev Neither who may move the agent nor who is near its market may move what its account holds.
    function collectionHolds(string[4] memory doors, address to, uint256 id, address holder) private {
        address[] memory right = one(holder);
        bytes memory call = abi.encodeWithSignature("approve(address,uint256)", SHOP, id);
        door(doors[0], to, call, abi.encodeWithSignature("ERC721InvalidApprover(address)", WHO), right);
        bytes memory refusal = abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", WHO, id);
        call = abi.encodeWithSignature("transferFrom(address,address,uint256)", holder, SHOP, id);
        door(doors[1], to, call, refusal, right);
        call = abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", holder, SHOP, id);
        door(doors[2], to, call, refusal, right);
        call = abi.encodeWithSignature("safeTransferFrom(address,address,uint256,bytes)", holder, SHOP, id, "x");
        door(doors[3], to, call, refusal, right);
    }

    function test_only_the_recorder_anchors() public {
        bytes memory call = abi.encodeCall(ledger.anchor, (keccak256("root"), 1));
        door("Ledger.anchor", address(ledger), call, lacks(Roles.RECORDER), one(RECORDER));
    }

    function test_only_who_may_makes_takes_and_collects_test_dollars() public {
        address to = address(usdc);
        bytes memory call = abi.encodeCall(usdc.mint, (SHOP, 1));
        door("TestUSDC.mint", to, call, error("FiatToken: caller is not a minter"), one(address(this)));
        usdc.mint(plain.p.owner, 1);
        vm.prank(plain.p.owner);
        usdc.approve(APPROVED, 1);
        call = abi.encodeCall(usdc.transferFrom, (plain.p.owner, SHOP, 1));
        door("TestUSDC.transferFrom", to, call, error("ERC20: transfer amount exceeds allowance"), one(APPROVED));
        // Of an account nobody takes anything, whoever is approved for its agent.
        call = abi.encodeCall(usdc.approve, (STRANGER, 1));
        vm.prank(address(plain.p.account));
        (bool done,) = to.call(call);
        require(done, "as if the account could allow");
        call = abi.encodeCall(usdc.transferFrom, (address(plain.p.account), SHOP, 1));
        door("TestUSDC.transferFrom", to, call, error("ERC20: transfer amount exceeds allowance"), one(STRANGER));
        collectedByThePayeeAlone();
    }

    function collectedByThePayeeAlone() private {
        bytes memory words = abi.encode(plain.p.owner, APPROVED, 1, 0, FAR, bytes32("n"));
        bytes memory sig = sign(
            plain.p.ownerPk,
            typed("USDC", "2", address(usdc), bytes.concat(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), words))
        );
        bytes memory refusal = error("FiatTokenV2: caller must be the payee");
        bytes memory call = abi.encodeWithSignature(
            "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
            plain.p.owner, APPROVED, 1, 0, FAR, bytes32("n"), sig
        );
        door("TestUSDC.receiveWithAuthorization/7", address(usdc), call, refusal, one(APPROVED));
        bytes4 byParts = bytes4(
            keccak256(
                "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)"
            )
        );
        call = _with(bytes.concat(byParts, words, abi.encode(V, R, S)), sig);
        door("TestUSDC.receiveWithAuthorization/9", address(usdc), call, refusal, one(APPROVED));
    }
}
