// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The settlement door of an agent's account.
interface IAgentAccount {
    /// @dev One side of a deal, as its agent's session key signed it.
    struct Trade {
        bytes32 dealId;
        address key; // the session key of this side
        address other; // the other side's account
        address token;
        uint256 price;
        uint8 category;
    }

    /// @dev Books the price, pays `price - fee` to the seller and `fee` to the treasury.
    function payDeal(Trade calldata trade, uint256 fee, address treasury) external;

    /// @dev Checks the sale; hands the asset over when the account itself holds it.
    function deliverDeal(Trade calldata trade, address asset, uint256 tokenId, bool held) external;

    /// @dev The token that owns the account (ERC-6551).
    function token() external view returns (uint256 chainId, address tokenContract, uint256 tokenId);
}
