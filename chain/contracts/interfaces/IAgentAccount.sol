// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISpendPolicy} from "./ISpendPolicy.sol";

/// @title The settlement's door of an agent's account
interface IAgentAccount {
    /// @notice One side of a deal, as its agent's session key signed it.
    struct Trade {
        address key; // the session key of this side
        address other; // the other side's account
        address token;
        uint256 price;
        uint8 category;
    }

    /// @notice Books the price, pays `price - fee` to the seller and `fee` to the vault.
    /// @param trade the buyer's side
    /// @param fee the platform's share of the price, in the token's smallest unit
    /// @param vault who takes it
    function payDeal(Trade calldata trade, uint256 fee, address vault) external;

    /// @notice Checks the sale; hands the asset over when the account itself holds it.
    /// @param trade the seller's side
    /// @param asset the collection
    /// @param tokenId the token in it
    /// @param held whether the account holds the token
    function deliverDeal(Trade calldata trade, address asset, uint256 tokenId, bool held) external;

    /// @notice Turns the account to another policy. Only the agents' token, which has the owner's word.
    /// @param to the policy
    function bindPolicy(ISpendPolicy to) external;

    /// @notice The token that owns the account (ERC-6551).
    /// @return chainId the chain of the token
    /// @return tokenContract its collection
    /// @return tokenId its number in it
    function token() external view returns (uint256 chainId, address tokenContract, uint256 tokenId);

    /// @notice Moves with everything that takes value out of the account (ERC-6551). Reverts while no quote can hold.
    /// @return the state to quote
    function state() external view returns (uint256);
}
