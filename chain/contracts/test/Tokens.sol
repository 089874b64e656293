// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @dev Takes one percent from what arrives.
contract FeeToken is ERC20("Fee", "FEE") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(to, address(0xFEE), value / 100);
    }
}

/// @dev Takes one percent more from the payer.
contract SurchargeToken is ERC20("Surcharge", "SUR") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(from, address(0xFEE), value / 100);
    }
}

/// @dev Answers false and moves nothing.
contract FalseToken {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// @dev Answers true and moves nothing.
contract LyingToken {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return true;
    }
}

/// @dev Answers nothing, as some old tokens do, and moves what it should.
contract SilentToken {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) public virtual {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }
}

/// @dev Calls back during a transfer, and remembers what came of it.
contract CallbackToken is ERC20("Callback", "CB") {
    address public target;
    bytes public data;
    bool public succeeded;
    bytes public answer;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function arm(address to, bytes calldata call) external {
        (target, data) = (to, call);
    }

    function run(address to, bytes calldata call) external {
        (bool success,) = to.call(call);
        require(success, "run");
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (target == address(0) || from == address(0)) return;
        address once = target;
        target = address(0);
        (succeeded, answer) = once.call(data);
    }
}

/// @dev Claims the EIP-712 domain of another token.
contract DomainThief is ERC20("USDC", "USDC") {
    address private immutable VICTIM;

    constructor(address victim) {
        VICTIM = victim;
    }

    function version() external pure returns (string memory) {
        return "2";
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return DomainThief(VICTIM).DOMAIN_SEPARATOR();
    }
}

/// @dev Lets itself be moved by its holder without an allowance, as WETH does, and pretends to be a collection.
contract TwoFacedToken is ERC20("Two", "TWO") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        _transfer(from, to, value);
        return true;
    }
}

/// @dev A collection that takes the asset back, or calls out, while it is handed over.
contract TrickAsset is ERC721("Trick", "TRICK") {
    bool public keeps;
    address public target;
    bytes public data;
    bool public succeeded;

    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function keep() external {
        keeps = true;
    }

    function arm(address to, bytes calldata call) external {
        (target, data) = (to, call);
    }

    function transferFrom(address from, address to, uint256 id) public override {
        if (target != address(0)) (succeeded,) = target.call(data);
        if (!keeps) super.transferFrom(from, to, id);
    }
}

