// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/**
 * @dev The settlement token of the local chains. To a client it is USDC (FiatTokenV2_2): six decimals, EIP-2612 and
 * EIP-3009 with ECDSA and ERC-1271 signatures, and the same revert strings, by which payment clients name a failure.
 */
contract TestUSDC is ERC20, EIP712, Nonces {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    address public immutable MINTER;

    /// @dev Whether an authorisation was used or canceled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    /// @notice An authorisation was used.
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    /// @notice An authorisation was ended unused.
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    constructor(address minter) ERC20("USDC", "USDC") EIP712("USDC", "2") {
        MINTER = minter;
    }

    /// @notice Makes money. Only on chains where it is worth nothing.
    /// @param to who gets it
    /// @param amount in the token's smallest unit
    function mint(address to, uint256 amount) external {
        require(msg.sender == MINTER, "FiatToken: caller is not a minter");
        _mint(to, amount);
    }

    /// @notice EIP-3009: pays by the payer's ECDSA signature.
    /// @param from who pays
    /// @param to who is paid
    /// @param value in the token's smallest unit
    /// @param validAfter unix seconds from which it counts
    /// @param validBefore unix seconds until which it counts
    /// @param nonce of the payer's choice, used once
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice EIP-3009: collects as the payee by the payer's ECDSA signature.
    /// @param from who pays
    /// @param to who is paid
    /// @param value in the token's smallest unit
    /// @param validAfter unix seconds from which it counts
    /// @param validBefore unix seconds until which it counts
    /// @param nonce of the payer's choice, used once
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice EIP-3009: takes an authorisation back by ECDSA signature.
    /// @param authorizer who signed
    /// @param nonce of the payer's choice, used once
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice EIP-2612 by ECDSA signature.
    /// @param owner whose tokens
    /// @param spender who may move them
    /// @param value in the token's smallest unit
    /// @param deadline unix seconds
    /// @param v of the signature
    /// @param r of the signature
    /// @param s of the signature
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    /// @notice The EIP-712 version, which clients read to build the domain.
    /// @return as USDC says it
    function version() external pure returns (string memory) {
        return "2";
    }

    /// @notice The hash of the token's EIP-712 domain.
    /// @return the separator
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @notice EIP-3009: pays by the payer's signature, ECDSA or ERC-1271.
    /// @param from who pays
    /// @param to who is paid
    /// @param value in the token's smallest unit
    /// @param validAfter unix seconds from which it counts
    /// @param validBefore unix seconds until which it counts
    /// @param nonce of the payer's choice, used once
    /// @param signature 65 bytes of a key, or what the payer's contract takes by ERC-1271
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        bytes32 structHash = keccak256(
            abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        _useAuthorization(from, validAfter, validBefore, nonce, structHash, signature);
        _transfer(from, to, value);
    }

    /// @notice EIP-3009: collects as the payee by the payer's signature, ECDSA or ERC-1271.
    /// @param from who pays
    /// @param to who is paid
    /// @param value in the token's smallest unit
    /// @param validAfter unix seconds from which it counts
    /// @param validBefore unix seconds until which it counts
    /// @param nonce of the payer's choice, used once
    /// @param signature 65 bytes of a key, or what the payer's contract takes by ERC-1271
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        bytes32 structHash =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _useAuthorization(from, validAfter, validBefore, nonce, structHash, signature);
        _transfer(from, to, value);
    }

    /// @notice EIP-3009: takes an authorisation back.
    /// @param authorizer who signed
    /// @param nonce of the payer's choice, used once
    /// @param signature 65 bytes of a key, or what the payer's contract takes by ERC-1271
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        _checkSignature(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @notice EIP-2612.
    /// @param owner whose tokens
    /// @param spender who may move them
    /// @param value in the token's smallest unit
    /// @param deadline unix seconds
    /// @param signature 65 bytes of a key, or what the payer's contract takes by ERC-1271
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature) public {
        require(deadline == type(uint256).max || deadline >= block.timestamp, "FiatTokenV2: permit is expired");
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline));
        require(
            SignatureChecker.isValidSignatureNow(owner, _hashTypedDataV4(structHash), signature),
            "EIP2612: invalid signature"
        );
        _approve(owner, spender, value);
    }

    /// @notice How many decimals an amount has.
    /// @return six, as USDC
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(from == address(0) || balanceOf(from) >= value, "ERC20: transfer amount exceeds balance");
        super._update(from, to, value);
    }

    function _spendAllowance(address owner, address spender, uint256 value) internal override {
        require(allowance(owner, spender) >= value, "ERC20: transfer amount exceeds allowance");
        super._spendAllowance(owner, spender, value);
    }

    function _useAuthorization(
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes32 structHash,
        bytes memory signature
    ) private {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizationState[from][nonce], "FiatTokenV2: authorization is used or canceled");
        _checkSignature(from, structHash, signature);
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }

    function _checkSignature(address signer, bytes32 structHash, bytes memory signature) private view {
        require(
            SignatureChecker.isValidSignatureNow(signer, _hashTypedDataV4(structHash), signature),
            "FiatTokenV2: invalid signature"
        );
    }
}
