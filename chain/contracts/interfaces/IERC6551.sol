// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The canonical token-bound account registry, https://eips.ethereum.org/EIPS/eip-6551.
interface IERC6551Registry {
    /// @notice Emitted when an account is created; not when it existed already.
    event ERC6551AccountCreated(
        address account,
        address indexed implementation,
        bytes32 salt,
        uint256 chainId,
        address indexed tokenContract,
        uint256 indexed tokenId
    );

    /// @dev The registry could not create the account.
    error AccountCreationFailed();

    /// @notice Creates the account of a token, or returns it when it exists.
    /// @param implementation the account's code
    /// @param salt tells accounts of one token apart
    /// @param chainId of the token
    /// @param tokenContract its collection
    /// @param tokenId its number in it
    /// @return account its address
    function createAccount(
        address implementation,
        bytes32 salt,
        uint256 chainId,
        address tokenContract,
        uint256 tokenId
    ) external returns (address account);

    /// @notice The address of the account of a token, created or not.
    /// @param implementation the account's code
    /// @param salt tells accounts of one token apart
    /// @param chainId of the token
    /// @param tokenContract its collection
    /// @param tokenId its number in it
    /// @return account its address
    function account(address implementation, bytes32 salt, uint256 chainId, address tokenContract, uint256 tokenId)
        external
        view
        returns (address account);
}

/// @dev A token-bound account. Interface id 0x6faff5f1.
interface IERC6551Account {
    receive() external payable;

    /// @notice The token that owns this account.
    /// @return chainId of the token
    /// @return tokenContract its collection
    /// @return tokenId its number in it
    function token() external view returns (uint256 chainId, address tokenContract, uint256 tokenId);

    /// @notice Changes with whatever takes value out of the account.
    /// @return the state
    function state() external view returns (uint256);

    /// @notice 0x523e3260 when `signer` may act for the account.
    /// @param signer who acts
    /// @param context not read
    /// @return magicValue of the standard where it may
    function isValidSigner(address signer, bytes calldata context) external view returns (bytes4 magicValue);
}

/// @dev A token-bound account that executes calls. Interface id 0x51945447.
interface IERC6551Executable {
    /// @notice Calls `to` as the account. `operation` 0 is CALL, the only one an agent account takes.
    /// @param to the contract called
    /// @param value wei
    /// @param data the call
    /// @param operation 0, a call
    /// @return result what it returned
    function execute(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        payable
        returns (bytes memory);
}
