// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IAgentAccount} from "./interfaces/IAgentAccount.sol";
import {IERC3009Token} from "./interfaces/IERC3009Token.sol";
import {IERC6551Account, IERC6551Executable} from "./interfaces/IERC6551.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";

/**
 * @dev The ERC-6551 account of an agent. It has three doors and no other:
 *
 * - the owner's, {execute}: anything but granting a standing allowance. It never asks the policy, so it always opens.
 * - the agent's, {spend} and {authorizePayment}: a session key pays an ERC-20, booked in the policy first.
 * - the settlement's, {payDeal} and {deliverDeal}: one side of a deal that both session keys have signed.
 */
contract AgentAccount is
    IAgentAccount,
    IERC6551Account,
    IERC6551Executable,
    IERC1271,
    IERC721Receiver,
    IERC1155Receiver,
    ReentrancyGuardTransient
{
    using SafeERC20 for IERC20;

    /// @dev An EIP-3009 payment that is booked and may be collected until `validBefore`.
    struct Payment {
        address key;
        uint32 validBefore;
        uint64 stamp; // epoch and mandate version of the booking: either moving on ends it
    }

    bytes32 private constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes4 private constant INVALID_SIGNATURE = 0xffffffff;
    uint256 private constant KEY_LENGTH = 20;
    uint256 private constant SIGNATURE_LENGTH = 85;

    /// @dev How far ahead a payment may be authorised.
    uint256 public constant MAX_PAYMENT_TTL = 1 hours;
    ISpendPolicy public immutable POLICY;

    // One slot, written by every act.
    uint192 private _acts;
    uint64 private _collectableUntil; // the latest end of a booked payment
    /// @dev By EIP-712 digest.
    mapping(bytes32 digest => Payment) public payments;

    event Executed(address indexed owner, address indexed to, uint256 value, bytes4 selector, uint256 state);
    event Spent(address indexed token, address indexed to, bytes32 indexed ref, uint256 amount);
    event PaymentAuthorized(
        bytes32 indexed digest, address indexed to, bytes32 indexed ref, address token, uint256 amount, bytes32 nonce
    );
    event DealPaid(bytes32 indexed dealId, address indexed token, address indexed seller, uint256 price, uint256 fee);
    event DealDelivered(bytes32 indexed dealId, address indexed asset, uint256 tokenId, address indexed buyer);

    /// @dev Only the current owner of the agent passes the owner's door.
    error NotAccountOwner(address caller);
    /// @dev Only the settlement the policy is bound to passes the settlement's door.
    error NotSettlement(address caller);
    /// @dev Only operation 0, CALL: a delegate call could rewrite the account.
    error OperationNotAllowed(uint8 operation);
    /// @dev The account does not call itself.
    error SelfCall();
    /// @dev A standing allowance would outlive a sale of the agent.
    error AllowanceForbidden(address to, bytes4 selector);
    /// @dev An agent cannot own itself.
    error SelfOwnership();
    /// @dev The token took or delivered another amount than the one booked.
    error AmountMismatch(address token, uint256 expected, uint256 debited, uint256 credited);
    /// @dev A payment must end in the future, at most {MAX_PAYMENT_TTL} ahead.
    error InvalidPaymentTerm(uint256 validBefore);
    /// @dev The very same payment was authorised before.
    error PaymentAlreadyAuthorized(bytes32 digest);
    /// @dev The token signs under another domain than its own name, version, chain and address.
    error DomainMismatch(address token);

    modifier onlySettlement() {
        if (msg.sender != POLICY.settlement()) revert NotSettlement(msg.sender);
        _;
    }

    constructor(ISpendPolicy policy) {
        POLICY = policy;
    }

    /// @dev Anyone may send ether; only the owner's door lets it out.
    receive() external payable {}

    // The owner's door

    /// @inheritdoc IERC6551Executable
    function execute(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        payable
        nonReentrant
        returns (bytes memory result)
    {
        if (msg.sender != owner()) revert NotAccountOwner(msg.sender);
        if (operation != 0) revert OperationNotAllowed(operation);
        if (to == address(this)) revert SelfCall();
        bytes4 selector = data.length < 4 ? bytes4(0) : bytes4(data[:4]);
        if (_grantsAllowance(selector)) revert AllowanceForbidden(to, selector);
        emit Executed(msg.sender, to, value, selector, ++_acts);
        bool success;
        (success, result) = to.call{value: value}(data);
        if (!success) {
            // The refusal of the contract called, word for word.
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
    }

    // The agent's door

    /// @dev A session key pays `amount` of `erc20` to `to`. `ref` is the payer's own reference.
    function spend(address erc20, address to, uint256 amount, bytes32 ref) external nonReentrant {
        POLICY.bookPayment(_agentId(), msg.sender, erc20, to, amount);
        ++_acts;
        emit Spent(erc20, to, ref, amount);
        _pay(erc20, to, amount);
    }

    /**
     * @dev A session key books an EIP-3009 payment now; from then until `validBefore` {isValidSignature} vouches for
     * that one digest. The amount stays booked whether or not it is collected.
     */
    function authorizePayment(
        address erc20,
        address to,
        uint256 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes32 ref
    ) external nonReentrant returns (bytes32 digest) {
        if (validBefore <= block.timestamp || validBefore > block.timestamp + MAX_PAYMENT_TTL) {
            revert InvalidPaymentTerm(validBefore);
        }
        uint64 stamp = POLICY.bookPayment(_agentId(), msg.sender, erc20, to, amount);
        digest = MessageHashUtils.toTypedDataHash(
            _domainOf(erc20),
            keccak256(
                abi.encode(
                    TRANSFER_WITH_AUTHORIZATION_TYPEHASH, address(this), to, amount, validAfter, validBefore, nonce
                )
            )
        );
        if (payments[digest].key != address(0)) revert PaymentAlreadyAuthorized(digest);
        payments[digest] = Payment(msg.sender, uint32(validBefore), stamp);
        ++_acts;
        if (validBefore > _collectableUntil) _collectableUntil = uint64(validBefore);
        emit PaymentAuthorized(digest, to, ref, erc20, amount, nonce);
    }

    /**
     * @dev ERC-1271. A signature is the session key's 20 bytes and its 65-byte ECDSA signature over the digest: 85
     * bytes, which no token takes for a plain ECDSA signature. Nothing but a booked payment is ever vouched for.
     */
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        Payment memory payment = payments[hash];
        if (payment.key == address(0) || block.timestamp >= payment.validBefore) return INVALID_SIGNATURE;
        if (signature.length != SIGNATURE_LENGTH || address(bytes20(signature[:KEY_LENGTH])) != payment.key) {
            return INVALID_SIGNATURE;
        }
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(hash, signature[KEY_LENGTH:]);
        if (failure != ECDSA.RecoverError.NoError || signer != payment.key) return INVALID_SIGNATURE;
        uint256 agentId = _agentId();
        if (payment.stamp != POLICY.stampOf(agentId) || !POLICY.keyIsLive(agentId, payment.key)) {
            return INVALID_SIGNATURE;
        }
        return IERC1271.isValidSignature.selector;
    }

    // The settlement's door

    /// @inheritdoc IAgentAccount
    function payDeal(Trade calldata trade, uint256 fee, address treasury) external onlySettlement nonReentrant {
        POLICY.bookPurchase(_agentId(), trade.key, trade.token, trade.other, trade.price, trade.category);
        ++_acts;
        emit DealPaid(trade.dealId, trade.token, trade.other, trade.price, fee);
        _pay(trade.token, trade.other, trade.price - fee);
        if (fee != 0) _pay(trade.token, treasury, fee);
    }

    /// @inheritdoc IAgentAccount
    function deliverDeal(Trade calldata trade, address asset, uint256 tokenId, bool held)
        external
        onlySettlement
        nonReentrant
    {
        POLICY.bookSale(
            _agentId(),
            ISpendPolicy.Sale(
                trade.key, asset, tokenId, trade.other, trade.token, trade.price, trade.category
            )
        );
        ++_acts;
        emit DealDelivered(trade.dealId, asset, tokenId, trade.other);
        if (held) IERC721(asset).transferFrom(address(this), trade.other, tokenId);
    }

    // Reading

    /**
     * @inheritdoc IERC6551Account
     * @dev Counts what the account did. A booked payment leaves whenever its payee likes, and the account is not told:
     * while one may be collected the state is another every second, so that no quote for the agent holds.
     */
    function state() external view returns (uint256) {
        if (block.timestamp >= _collectableUntil) return _acts;
        return uint256(keccak256(abi.encode(_acts, block.timestamp)));
    }

    /// @inheritdoc IERC6551Account
    function token()
        public
        view
        override(IAgentAccount, IERC6551Account)
        returns (uint256 chainId, address tokenContract, uint256 tokenId)
    {
        // ERC-6551 appends salt, chain, contract and token id to the proxy's 45 bytes of code.
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            extcodecopy(address(), pointer, 0x4d, 0x60)
            chainId := mload(pointer)
            tokenContract := mload(add(pointer, 0x20))
            tokenId := mload(add(pointer, 0x40))
        }
    }

    /// @dev The agent's current owner; zero on another chain, for a token that does not exist, and for the implementation.
    function owner() public view returns (address) {
        (uint256 chainId, address tokenContract, uint256 tokenId) = token();
        if (chainId != block.chainid || tokenContract.code.length == 0) return address(0);
        try IERC721(tokenContract).ownerOf(tokenId) returns (address current) {
            return current;
        } catch {
            return address(0);
        }
    }

    /// @inheritdoc IERC6551Account
    function isValidSigner(address signer, bytes calldata) external view returns (bytes4) {
        return signer != address(0) && signer == owner() ? IERC6551Account.isValidSigner.selector : bytes4(0);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IERC1271).interfaceId
            || interfaceId == 0x6faff5f1 || interfaceId == type(IERC6551Executable).interfaceId
            || interfaceId == type(IERC721Receiver).interfaceId || interfaceId == type(IERC1155Receiver).interfaceId;
    }

    // Receiving

    /// @inheritdoc IERC721Receiver
    function onERC721Received(address, address, uint256 tokenId, bytes calldata) external view returns (bytes4) {
        (uint256 chainId, address tokenContract, uint256 mine) = token();
        if (msg.sender == tokenContract && tokenId == mine && chainId == block.chainid) revert SelfOwnership();
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    // Inside

    function _agentId() private view returns (uint256 tokenId) {
        (,, tokenId) = token();
    }

    /// @dev Pays, and holds the token to exactly the amount on both ends.
    function _pay(address erc20, address to, uint256 amount) private {
        uint256 mine = IERC20(erc20).balanceOf(address(this));
        uint256 theirs = IERC20(erc20).balanceOf(to);
        IERC20(erc20).safeTransfer(to, amount);
        uint256 mineAfter = IERC20(erc20).balanceOf(address(this));
        uint256 theirsAfter = IERC20(erc20).balanceOf(to);
        uint256 debited = mine > mineAfter ? mine - mineAfter : 0;
        uint256 credited = theirsAfter > theirs ? theirsAfter - theirs : 0;
        if (debited != amount || credited != amount) revert AmountMismatch(erc20, amount, debited, credited);
    }

    /**
     * @dev The token's EIP-712 domain, built here over the token's own address: a token that lends the domain of
     * another could have a payment of its own worthless units collected in the other's money.
     */
    function _domainOf(address erc20) private view returns (bytes32 domain) {
        domain = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256(bytes(IERC3009Token(erc20).name())),
                keccak256(bytes(IERC3009Token(erc20).version())),
                block.chainid,
                erc20
            )
        );
        if (domain != IERC3009Token(erc20).DOMAIN_SEPARATOR()) revert DomainMismatch(erc20);
    }

    /// @dev The calls by which tokens in use grant what lasts beyond the transaction, also inside a batch of their own.
    function _grantsAllowance(bytes4 selector) private pure returns (bool) {
        return selector == 0x095ea7b3 // approve(address,uint256): ERC-20, ERC-721
            || selector == 0xdaea85c5 // approve(address): DSToken
            || selector == 0x426a8493 // approve(address,uint256,uint256): ERC-6909
            || selector == 0x87517c45 // approve(address,address,uint160,uint48): Permit2
            || selector == 0x39509351 // increaseAllowance(address,uint256)
            || selector == 0xd73dd623 // increaseApproval(address,uint256)
            || selector == 0xa22cb465 // setApprovalForAll(address,bool): ERC-721, ERC-1155
            || selector == 0x558a7297 // setOperator(address,bool): ERC-6909
            || selector == 0x959b8c3f // authorizeOperator(address): ERC-777
            || selector == 0x3177029f // approveAndCall(address,uint256): ERC-1363
            || selector == 0xcae9ca51 // approveAndCall(address,uint256,bytes): ERC-1363
            || selector == 0xac9650d8; // multicall(bytes[]), which keeps the sender
    }
}
