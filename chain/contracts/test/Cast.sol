// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Ledger} from "../Ledger.sol";
import {Managed} from "../access/Managed.sol";
import {Roles} from "../access/Roles.sol";
import {Base} from "./Base.sol";

/**
 * @dev Everybody who could be taken for the one who may. Two agents are tried: one that a wallet owns, and one that the
 * account of an outer agent owns. Both were sold by a former owner, whose key is left, and carry every kind of key and
 * every kind of approval. Of every role of the platform there is the holder, one who held it before, and one whose
 * grant still waits.
 *
 * A table's row holds a call and the refusal it must end with. {WHO} in either stands for whoever is tried.
 */
abstract contract Cast is Base {
    struct Actor {
        string name;
        address who;
        uint256 pk; // zero: a contract, which signs nothing
    }

    /// @dev An agent with everybody who has, or had, something to do with it.
    struct Subject {
        Party p; // its present owner and live key
        uint256 otherKeyPk;
        address otherKey; // live too
        address controller; // the wallet at the top
    }

    address internal constant WHO = 0x00000000000000000000000000000000ca11e400;
    /// @dev Where a row's signature goes: 65 bytes in one piece, or as v, r and s.
    bytes32 internal constant R = keccak256("r");
    bytes32 internal constant S = keccak256("s");
    uint8 internal constant V = 251;
    bytes4 private constant ERC1271 = 0x1626ba7e;

    uint256 private constant ADMIN_PK = 0xAD;
    address internal immutable APPROVED = vm.addr(0xA1);
    address internal immutable OPERATOR = vm.addr(0xA2);
    address internal immutable MINTER = vm.addr(0xA3);
    address internal immutable ISSUER = vm.addr(0xA4);
    address internal immutable RECORDER = vm.addr(0xA5);
    address internal immutable STRANGER = vm.addr(0xA6);
    uint64 internal constant LAST_ROLE = Roles.TREASURY;
    uint256 private constant FORMER_PK = 0xF0; // and the role's number
    uint256 private constant NEXT_PK = 0xE0; // and the role's number

    Actor[] internal cast;
    Subject internal plain;
    Subject internal nested;
    Party internal outer;
    Party internal other;
    Ledger internal ledger;

    function setUpCast() internal {
        deploy();
        ledger = new Ledger(address(manager));
        other = party(0x07E4, terms(BUY | SELL), caps(500e6));
        outer = party(0x0D7E4, terms(BUY | SELL), caps(500e6));
        plain = _raise(0x100, vm.addr(0x109), 0x109, vm.addr(0x109));
        nested = _raise(0x200, address(outer.account), 0, outer.owner);
        // Another agent of the same age, so that no epoch tells them apart.
        vm.startPrank(other.owner);
        nft.transferFrom(other.owner, other.owner, other.id);
        other.keyPk = 0x07E5;
        other.key = vm.addr(other.keyPk);
        policy.grantKey(other.id, other.key, FAR);
        vm.stopPrank();

        _rotate();

        // The admin is a contract wallet, which is also who deployed the policy and makes the test dollars.
        _enter("the admin", address(this), ADMIN_PK);
        _enter("an approved wallet", APPROVED, 0xA1);
        _enter("an operator for all", OPERATOR, 0xA2);
        _enter("the minter", MINTER, 0xA3);
        _enter("the issuer", ISSUER, 0xA4);
        _enter("the recorder", RECORDER, 0xA5);
        _enter("a stranger", STRANGER, 0xA6);
        _enter("the guardian", GUARDIAN, 0x6A);
        _enter("the treasury", TREASURER, 0x7EA);
        for (uint64 role; role <= LAST_ROLE; ++role) {
            _enter(string.concat("who held before the role ", Strings.toString(role)), formerOf(role), FORMER_PK + role);
            _enter(string.concat("who waits for the role ", Strings.toString(role)), nextOf(role), NEXT_PK + role);
        }
        _enter("another agent's owner", other.owner, other.ownerPk);
        _enter("another agent's key", other.key, other.keyPk);
        _enter("another agent's account", address(other.account), 0);
        _enter("the outer agent's owner", outer.owner, outer.ownerPk);
        _enter("the outer agent's key", outer.key, outer.keyPk);
        _enter("the outer agent's account", address(outer.account), 0);
        _enterAll(plain, 0x100);
        _enterAll(nested, 0x200);
        _enter("the agents' token", address(nft), 0);
        _enter("the policy", address(policy), 0);
        _enter("the settlement", address(settlement), 0);
        _enter("the certificates", address(certificates), 0);
        _enter("the dollar", address(usdc), 0);
        _enter("the platform's manager", address(manager), 0);
        _enter("the vault", TREASURY, 0);
        _enter("the registry of accounts", address(nft.REGISTRY()), 0);
        _enter("the accounts' implementation", address(implementation), 0);
        _enter("what reads the owners' words", vm.computeCreateAddress(address(policy), 1), 0);
    }

    /// @dev Who held a role until it was taken.
    function formerOf(uint64 role) internal pure returns (address) {
        return vm.addr(FORMER_PK + role);
    }

    /// @dev Who was granted a role that does not count yet.
    function nextOf(uint64 role) internal pure returns (address) {
        return vm.addr(NEXT_PK + role);
    }

    /// @dev The admin's wallet signs by ERC-1271.
    function isValidSignature(bytes32 digest, bytes calldata signature) external pure returns (bytes4) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && signer == vm.addr(ADMIN_PK);
        return valid ? ERC1271 : bytes4(0xffffffff);
    }

    /// @dev Every brake at once.
    function stopEverything(Party memory p) internal {
        vm.prank(p.owner);
        policy.setPaused(p.id, true);
        vm.startPrank(GUARDIAN);
        policy.setPaused(p.id, true);
        policy.pauseAll(72 hours);
        vm.stopPrank();
    }

    // Trying the doors

    /// @dev The door opens to each of `right`, whoever of them or what stranger sent the transaction, and refuses
    /// everybody else with exactly `refusal`, also in a transaction that one of them sent.
    function door(string memory name, address to, bytes memory call, bytes memory refusal, address[] memory right)
        internal
    {
        require(right.length != 0, string.concat(name, " must open to somebody, or nothing is proved"));
        for (uint256 i; i < right.length; ++i) {
            for (uint256 j; j <= right.length; ++j) {
                uint256 before = vm.snapshotState();
                vm.prank(right[i], j == right.length ? STRANGER : right[j]);
                (bool opened,) = to.call(_as(call, right[i]));
                require(opened, string.concat(name, " is closed to who may: ", _nameOf(right[i])));
                vm.revertToState(before);
            }
        }
        for (uint256 i; i < cast.length; ++i) {
            if (_among(right, cast[i].who)) continue;
            for (uint256 j; j < right.length; ++j) {
                vm.prank(cast[i].who, right[j]);
                _mustRefuse(name, to, _as(call, cast[i].who), _as(refusal, cast[i].who), cast[i].name);
            }
        }
    }

    /// @dev The same of whom a call names, by one caller who may.
    function named(
        string memory name,
        address caller,
        address to,
        bytes memory call,
        bytes memory refusal,
        address[] memory right
    ) internal {
        for (uint256 i; i < cast.length; ++i) {
            bool may = _among(right, cast[i].who);
            uint256 before = vm.snapshotState();
            vm.prank(caller, STRANGER);
            if (!may) {
                _mustRefuse(name, to, _as(call, cast[i].who), _as(refusal, cast[i].who), cast[i].name);
                continue;
            }
            (bool opened,) = to.call(_as(call, cast[i].who));
            require(opened, string.concat(name, " is closed to who may be named: ", cast[i].name));
            vm.revertToState(before);
        }
    }

    /// @dev The signature of each of `right` counts, sent by a stranger. Everybody else's is refused, though they send
    /// it themselves.
    function signed(
        string memory name,
        address to,
        bytes memory call,
        bytes32 digest,
        bytes memory refusal,
        address[] memory right
    ) internal {
        for (uint256 i; i < cast.length; ++i) {
            Actor memory actor = cast[i];
            if (actor.pk == 0) continue;
            // A contract wallet is no session key, under whatever name.
            if (actor.who.code.length != 0 && keccak256(_as(call, actor.who)) != keccak256(call)) continue;
            bytes memory data = _as(_with(call, sign(actor.pk, digest)), actor.who);
            if (!_among(right, actor.who)) {
                vm.prank(actor.who, right.length == 0 ? STRANGER : right[0]);
                _mustRefuse(name, to, data, _as(refusal, actor.who), actor.name);
                continue;
            }
            uint256 before = vm.snapshotState();
            vm.prank(STRANGER);
            (bool taken,) = to.call(data);
            require(taken, string.concat(name, " does not take the signature of ", actor.name));
            vm.revertToState(before);
        }
    }

    // Writing the rows

    function list_(address a, address b) internal pure returns (address[] memory l) {
        l = new address[](2);
        (l[0], l[1]) = (a, b);
    }

    function list_(address a, address b, address c) internal pure returns (address[] memory l) {
        l = new address[](3);
        (l[0], l[1], l[2]) = (a, b, c);
    }

    function error(string memory text) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("Error(string)", text);
    }

    function lacks(uint64 role) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(Managed.NotInRole.selector, role, WHO);
    }

    /// @dev The place of a signature in one piece.
    function signature() internal pure returns (bytes memory) {
        return abi.encodePacked(R, S, V);
    }

    /// @dev A digest under a contract's own EIP-712 domain.
    function typed(string memory name, string memory version, address to, bytes memory content)
        internal
        view
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                to
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, keccak256(content)));
    }

    // Inside

    /// @dev The roles change hands, and of every one another grant begins to wait.
    function _rotate() private {
        for (uint64 role; role <= LAST_ROLE; ++role) manager.grantRole(role, formerOf(role), 0);
        manager.grantRole(Roles.MINTER, MINTER, 0);
        manager.grantRole(Roles.ISSUER, ISSUER, 0);
        manager.grantRole(Roles.RECORDER, RECORDER, 0);
        vm.warp(START + 2 days);
        for (uint64 role; role <= LAST_ROLE; ++role) {
            (bool held,) = manager.hasRole(role, formerOf(role));
            require(held, "or the former holder is a stranger");
            manager.revokeRole(role, formerOf(role));
            if (role != Roles.ADMIN) manager.revokeRole(role, address(this));
            manager.grantRole(role, nextOf(role), 0);
        }
        vm.warp(START + 4 days - 1);
    }

    function _raise(uint256 seed, address owner, uint256 ownerPk, address controller)
        private
        returns (Subject memory x)
    {
        x.p = party(seed, terms(BUY | SELL), caps(500e6));
        if (owner == address(outer.account)) {
            enter(x.p, outer);
        } else {
            vm.prank(x.p.owner);
            nft.transferFrom(x.p.owner, owner, x.p.id);
        }
        (x.p.owner, x.p.ownerPk, x.controller) = (owner, ownerPk, controller);
        (x.p.keyPk, x.otherKeyPk) = (seed + 1, seed + 2);
        (x.p.key, x.otherKey) = (vm.addr(x.p.keyPk), vm.addr(x.otherKeyPk));
        vm.startPrank(owner);
        policy.grantKey(x.p.id, x.p.key, FAR);
        policy.grantKey(x.p.id, x.otherKey, FAR);
        policy.grantKey(x.p.id, vm.addr(seed + 3), FAR);
        policy.revokeKey(x.p.id, vm.addr(seed + 3));
        policy.grantKey(x.p.id, vm.addr(seed + 4), START + 50);
        nft.approve(APPROVED, x.p.id);
        nft.setApprovalForAll(OPERATOR, true);
        vm.stopPrank();
    }

    function _enterAll(Subject memory x, uint256 seed) private {
        uint256 formerKeyPk = uint256(keccak256(abi.encode("key", seed)));
        if (x.p.ownerPk != 0) _enter("the owner", x.p.owner, x.p.ownerPk);
        _enter("the former owner", vm.addr(seed), seed);
        _enter("a key of the former owner", vm.addr(formerKeyPk), formerKeyPk);
        _enter("a live key", x.p.key, x.p.keyPk);
        _enter("another live key", x.otherKey, x.otherKeyPk);
        _enter("a revoked key", vm.addr(seed + 3), seed + 3);
        _enter("a key past its time", vm.addr(seed + 4), seed + 4);
        _enter("the agent's account", address(x.p.account), 0);
    }

    function _enter(string memory name, address who, uint256 pk) private {
        cast.push(Actor(name, who, pk));
    }

    function _mustRefuse(string memory name, address to, bytes memory call, bytes memory refusal, string memory actor)
        private
    {
        (bool opened, bytes memory answer) = to.call(call);
        require(!opened, string.concat(name, " opens to ", actor));
        require(keccak256(answer) == keccak256(refusal), string.concat(name, " refuses otherwise: ", actor));
    }

    function _nameOf(address who) private view returns (string memory) {
        for (uint256 i; i < cast.length; ++i) {
            if (cast[i].who == who) return cast[i].name;
        }
        return "somebody outside the cast";
    }

    function _among(address[] memory some, address who) private pure returns (bool) {
        for (uint256 i; i < some.length; ++i) {
            if (some[i] == who) return true;
        }
        return false;
    }

    /// @dev Puts somebody in the place of {WHO}, in a copy.
    function _as(bytes memory row, address who) internal pure returns (bytes memory) {
        return _put(row, bytes32(uint256(uint160(WHO))), bytes32(uint256(uint160(who))));
    }

    function _with(bytes memory row, bytes memory sig) internal pure returns (bytes memory copy) {
        (bytes32 r, bytes32 s) = (bytes32(0), bytes32(0));
        assembly ("memory-safe") {
            r := mload(add(sig, 0x20))
            s := mload(add(sig, 0x40))
        }
        uint8 v = uint8(sig[64]);
        copy = _put(row, R, r);
        copy = _put(copy, bytes32(uint256(V)), bytes32(uint256(v)));
        // In one piece, v follows s.
        for (uint256 i; i + 33 <= copy.length; i += 4) {
            if (_word(copy, i) == S && uint8(copy[i + 32]) == V) copy[i + 32] = bytes1(v);
        }
        copy = _put(copy, S, s);
    }

    /// @dev Arguments of calls, and of calls inside calls, begin at multiples of four.
    function _put(bytes memory row, bytes32 mark, bytes32 value) private pure returns (bytes memory copy) {
        copy = bytes.concat(row);
        for (uint256 i; i + 32 <= copy.length; i += 4) {
            if (_word(copy, i) != mark) continue;
            assembly ("memory-safe") {
                mstore(add(add(copy, 0x20), i), value)
            }
        }
    }

    function _word(bytes memory data, uint256 at) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), at))
        }
    }
}
