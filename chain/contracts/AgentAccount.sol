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
import {ICertificates} from "./interfaces/ICertificates.sol";
import {IERC3009Token} from "./interfaces/IERC3009Token.sol";
import {IERC6551Account, IERC6551Executable} from "./interfaces/IERC6551.sol";
import {ISpendPolicy} from "./interfaces/ISpendPolicy.sol";

/**
 * @title The account of an agent
 * @notice An ERC-6551 account. It has three doors and no other:
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

    /// @notice How far ahead a payment may be authorised.
    uint256 public constant MAX_PAYMENT_TTL = 1 hours;
    /// @notice The policy of every account whose owner has bound no other.
    ISpendPolicy public immutable POLICY;

    // One slot, written by every act.
    uint48 private _acts;
    uint48 private _collectableUntil; // the latest end of a booked payment
    ISpendPolicy private _bound; // the policy that the owner has bound; zero: {POLICY}
    /// @dev By EIP-712 digest.
    mapping(bytes32 digest => Payment) public payments;

    /// @notice The owner's door was passed.
    event Executed(address indexed owner, address indexed to, uint256 value, bytes4 selector, uint256 state);
    /// @notice A session key paid.
    event Spent(address indexed token, address indexed to, bytes32 indexed ref, address key, uint256 amount);
    /// @notice The account turned to another policy.
    event PolicyBound(address indexed policy);
    /// @notice A payment was booked, to be collected.
    event PaymentAuthorized(
        bytes32 indexed digest, address indexed to, bytes32 indexed ref, address token, uint256 amount, bytes32 nonce
    );

    /// @dev Only the current owner of the agent passes the owner's door.
    error NotAccountOwner(address caller);
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
    /// @dev Only the account itself books what its session keys do: an owner would book what never was.
    error BookingForbidden(bytes4 selector);
    /// @dev Until then a booked payment may leave whenever its payee likes: the account cannot be quoted.
    error BookingsOpen(uint256 until);
    /// @dev What the agents in the account hold may leave without a move of the account: it cannot be quoted.
    error AgentsHeld(uint256 count);
    /// @dev Only the agents' token, which has the owner's word, turns the account to another policy.
    error NotAgentToken(address caller);
    /// @dev The token signs under another domain than its own name, version, chain and address.
    error DomainMismatch(address token);

    /// @param first the policy of every account whose owner has bound no other
    constructor(ISpendPolicy first) {
        POLICY = first;
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
        if (
            selector == ISpendPolicy.bookPayment.selector || selector == ISpendPolicy.bookPurchase.selector
                || selector == ISpendPolicy.bookSale.selector
        ) revert BookingForbidden(selector);
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

    /// @notice A session key pays `amount` of `erc20` to `to`. `ref` is the payer's own reference.
    /// @param erc20 the token
    /// @param to the payee
    /// @param amount in the token's smallest unit
    /// @param ref the payer's own reference
    function spend(address erc20, address to, uint256 amount, bytes32 ref) external nonReentrant {
        policy().bookPayment(_agentId(), msg.sender, erc20, to, amount);
        ++_acts;
        emit Spent(erc20, to, ref, msg.sender, amount);
        _pay(erc20, to, amount, _balanceOf(erc20, address(this)));
    }

    /**
     * @notice A session key books an EIP-3009 payment now; from then until `validBefore` {isValidSignature} vouches for
     * that one digest. The amount stays booked whether or not it is collected.
     * @param erc20 the token
     * @param to the payee
     * @param amount in the token's smallest unit
     * @param validAfter unix seconds from which it may be collected
     * @param validBefore unix seconds until which, at most {MAX_PAYMENT_TTL} ahead
     * @param nonce of the payment (EIP-3009)
     * @param ref the payer's own reference
     * @return digest what the key signs and the token asks for
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
        uint64 stamp = policy().bookPayment(_agentId(), msg.sender, erc20, to, amount);
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
        if (validBefore > _collectableUntil) _collectableUntil = uint48(validBefore);
        emit PaymentAuthorized(digest, to, ref, erc20, amount, nonce);
    }

    /**
     * @notice ERC-1271. A signature is the session key's 20 bytes and its 65-byte ECDSA signature over the digest: 85
     * bytes, which no token takes for a plain ECDSA signature. Nothing but a booked payment is ever vouched for.
     * @param hash the digest of a booked payment
     * @param signature 20 bytes of key and 65 of its signature
     * @return the magic value of ERC-1271, or 0xffffffff
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
        ISpendPolicy current = policy();
        if (payment.stamp != current.stampOf(agentId) || !current.keyIsLive(agentId, payment.key)) {
            return INVALID_SIGNATURE;
        }
        return IERC1271.isValidSignature.selector;
    }

    // The settlement's door

    /// @inheritdoc IAgentAccount
    function payDeal(Trade calldata trade, uint256 fee, address vault) external nonReentrant {
        // The policy refuses whoever is not the settlement.
        policy().bookPurchase(
            _agentId(),
            msg.sender,
            ISpendPolicy.Purchase(trade.key, trade.token, trade.other, trade.price, trade.category)
        );
        ++_acts;
        uint256 mine = _pay(trade.token, trade.other, trade.price - fee, _balanceOf(trade.token, address(this)));
        if (fee != 0) _pay(trade.token, vault, fee, mine);
    }

    /// @inheritdoc IAgentAccount
    function deliverDeal(Trade calldata trade, address asset, uint256 tokenId, bool held)
        external
        nonReentrant
    {
        // The policy refuses whoever is not the settlement.
        policy().bookSale(
            _agentId(),
            msg.sender,
            ISpendPolicy.Sale(
                trade.key, asset, tokenId, trade.other, trade.token, trade.price, trade.category
            )
        );
        ++_acts;
        if (held) IERC721(asset).transferFrom(address(this), trade.other, tokenId);
    }

    // The binding

    /// @inheritdoc IAgentAccount
    function bindPolicy(ISpendPolicy to) external nonReentrant {
        (uint256 chainId, address tokenContract,) = token();
        if (msg.sender != tokenContract || chainId != block.chainid) revert NotAgentToken(msg.sender);
        _bound = to;
        ++_acts;
        emit PolicyBound(address(to));
    }

    // Reading

    /// @notice The policy that the account's session keys are held to.
    /// @return the owner's choice, else {POLICY}
    function policy() public view returns (ISpendPolicy) {
        ISpendPolicy bound = _bound;
        return address(bound) == address(0) ? POLICY : bound;
    }

    /**
     * @inheritdoc IERC6551Account
     * @dev Counts what the account did and what left it by the certificates' own doors. Where something may leave that
     * the account is not told of, it refuses to be quoted: while a booked payment may be collected, and while the
     * account holds agents, whose keys and bookings are their own. The binding is in front of the counts: another
     * policy may count other certificates, and a sum of theirs must not come back to one that was quoted before.
     *
     * It does not see what an issuer does: a token whose contract takes units from its holders, or stops them.
     */
    function state() external view override(IAgentAccount, IERC6551Account) returns (uint256) {
        if (block.timestamp < _collectableUntil) revert BookingsOpen(_collectableUntil);
        (uint256 chainId, address tokenContract,) = token();
        if (chainId != block.chainid || tokenContract.code.length == 0) return _acts;
        uint256 agents = IERC721(tokenContract).balanceOf(address(this));
        if (agents != 0) revert AgentsHeld(agents);
        uint256 count = _acts + ICertificates(policy().certificates()).departuresOf(address(this));
        return uint256(uint160(address(_bound))) << 96 | count;
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

    /// @notice The agent's current owner; zero on another chain, for a token that does not exist, and for the implementation.
    /// @return the wallet, or the account of another agent
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

    /// @dev Pays, and holds the token to exactly the amount on both ends. `mine` is the account's balance before;
    /// returned is the one after.
    function _pay(address erc20, address to, uint256 amount, uint256 mine) private returns (uint256 mineAfter) {
        uint256 theirs = _balanceOf(erc20, to);
        IERC20(erc20).safeTransfer(to, amount);
        mineAfter = _balanceOf(erc20, address(this));
        uint256 theirsAfter = _balanceOf(erc20, to);
        uint256 debited = mine > mineAfter ? mine - mineAfter : 0;
        uint256 credited = theirsAfter > theirs ? theirsAfter - theirs : 0;
        if (debited != amount || credited != amount) revert AmountMismatch(erc20, amount, debited, credited);
    }

    /// @dev By hand: it runs four times in a payment. Less than a word of answer is none.
    function _balanceOf(address erc20, address holder) private view returns (uint256 held) {
        bytes4 selector = IERC20.balanceOf.selector;
        assembly ("memory-safe") {
            mstore(0x00, selector)
            mstore(0x04, and(holder, 0xffffffffffffffffffffffffffffffffffffffff))
            let answered := staticcall(gas(), erc20, 0x00, 0x24, 0x00, 0x20)
            if iszero(answered) {
                let pointer := mload(0x40)
                returndatacopy(pointer, 0, returndatasize())
                revert(pointer, returndatasize())
            }
            if lt(returndatasize(), 0x20) { revert(0, 0) }
            held := mload(0x00)
        }
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

    /**
     * @dev The calls by which tokens and lending markets in use grant what lasts beyond the transaction, also inside a
     * batch of their own. A contract may grant by a call that is not listed here: no list is complete, and whoever buys
     * an agent that holds other tokens than the settlement's looks at their allowances.
     */
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
            || selector == 0x110496e5 // allow(address,bool): Compound III
            || selector == 0xeecea000 // setAuthorization(address,bool): Morpho
            || selector == 0xc04a8a10 // approveDelegation(address,uint256): Aave
            || selector == 0xa3b22fc4 // hope(address): Maker
            || selector == 0xd2423b51 // batch(bytes[],bool): BoringBatchable
            || selector == 0xac9650d8 // multicall(bytes[]), which keeps the sender
            || selector == 0x5ae401dc // multicall(uint256,bytes[])
            || selector == 0x1f0464d1; // multicall(bytes32,bytes[])
    }
}
