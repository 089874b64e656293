// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {AgentAccount} from "../../AgentAccount.sol";
import {Settlement} from "../../Settlement.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Base} from "../Base.sol";
import {FalseToken, FeeToken, LyingToken, SilentToken, SurchargeToken} from "../Tokens.sol";

/// @dev Pays everybody but one, and answers as if it had.
contract PickyToken is SilentToken {
    address private immutable UNLOVED;

    constructor(address unloved) {
        UNLOVED = unloved;
    }

    function transfer(address to, uint256 amount) public override {
        if (to != UNLOVED) super.transfer(to, amount);
    }
}

/// @dev A deal in a token that does not move exactly what it says leaves no trace.
contract DealTokensTest is Base {
    function setUp() public {
        deployWithParties();
    }

    /// @dev Two percent of 100 go to the treasury: 98 to the seller.
    function dealIn(address token) private returns (Settlement.Deal memory d) {
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](1);
        c[0] = ISpendPolicy.TokenCap(token, 500e6, 500e6, 0, 0, 0, 0);
        setMandate(bob, terms(BUY), c);
        setMandate(alice, terms(SELL), c);
        FalseToken(token).mint(address(bob.account), 1_000e6);
        d = deal(100e6);
        resell(d, token);
    }

    function refused(address token, bytes memory refusal) private {
        Settlement.Deal memory d = dealIn(token);
        settleRefused(d, refusal);
        require(assets.ownerOf(d.tokenId) == address(alice.account), "the asset stays");
        require(isListed(alice.id, address(assets), d.tokenId), "and stays listed");
        require(FalseToken(token).balanceOf(address(bob.account)) == 1_000e6, "the money stays");
        require(policy.spentTotal(bob.id, token) == 0 && settlement.settledAt(d.seller, d.buyer, d.dealId) == 0, "nothing is booked");
    }

    function mismatch(address token, uint256 wanted, uint256 debited, uint256 credited)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(AgentAccount.AmountMismatch.selector, token, wanted, debited, credited);
    }

    function test_a_token_that_keeps_a_fee_is_refused() public {
        address token = address(new FeeToken());
        refused(token, mismatch(token, 98e6, 98e6, 97.02e6));
    }

    function test_a_token_that_takes_a_surcharge_is_refused() public {
        address token = address(new SurchargeToken());
        refused(token, mismatch(token, 98e6, 98.98e6, 98e6));
    }

    function test_a_token_that_answers_false_is_refused() public {
        address token = address(new FalseToken());
        refused(token, abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token));
    }

    function test_a_token_that_answers_true_and_moves_nothing_is_refused() public {
        address token = address(new LyingToken());
        refused(token, mismatch(token, 98e6, 0, 0));
    }

    function test_a_token_that_pays_the_seller_and_not_the_treasury_is_refused() public {
        address token = address(new PickyToken(TREASURY));
        refused(token, mismatch(token, 2e6, 0, 0));
    }

    function test_an_address_that_is_no_token_is_refused() public {
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](1);
        c[0] = ISpendPolicy.TokenCap(SHOP, 500e6, 0, 0, 0, 0, 0);
        setMandate(bob, terms(BUY), c);
        setMandate(alice, terms(SELL), c);
        Settlement.Deal memory d = deal(100e6);
        resell(d, SHOP);
        settleRefused(d, "");
        require(assets.ownerOf(d.tokenId) == address(alice.account), "the asset stays");
    }

    function test_a_token_that_answers_nothing_and_moves_what_it_should_settles() public {
        address token = address(new SilentToken());
        Settlement.Deal memory d = dealIn(token);
        settle(d);
        require(assets.ownerOf(d.tokenId) == address(bob.account), "settled");
        require(FalseToken(token).balanceOf(address(alice.account)) == 98e6, "paid");
        require(FalseToken(token).balanceOf(TREASURY) == 2e6, "with the fee");
    }
}
