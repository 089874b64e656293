/** A contract that many deploy as it is published. */
export interface KnownSkeleton {
  readonly name: string;
  readonly source: string;
}

/**
 * Skeletons of contracts as their makers publish them built, with the package that they were computed from. Whoever compiles
 * the same sources with other settings has other skeletons: more are imported as the register `known-code`.
 */
export const KNOWN_SKELETONS: ReadonlyMap<string, KnownSkeleton> = new Map(
  (
    [
      [
        'OpenZeppelin Contracts 5.7.0',
        'npm @openzeppelin/contracts 5.7.0, build/contracts',
        [
          ['0x2104a43b25f08335b77c2b751d9e5280a9933a8acdd4a4309be0ff365e71d941', 'AccessManager'],
          ['0x531f25a79d092b8d5acc5f2ab4c9863fb35c12a8d475d5f8be200f0f4958c2e3', 'CrosschainRemoteExecutor'],
          ['0x4a0252d48eb701229b21561e365770af64d4a885d85ca3d8927be8efb05359c4', 'ERC2771Forwarder'],
          ['0xac27abdc1d3c75e6447cfd4be535b5099d12fcadc4333b52cad5c5bbebbe0402', 'ERC6909'],
          ['0x39677321d0507613d99dd155bf48b1de9e22c8eeeb4aaa8c4b14c1ed802d51fa', 'ERC6909ContentURI'],
          ['0x72882b6fd826fed71fa273733ac11cf28ff07932b2937a3b67c5f6af6ac7869c', 'ERC6909Metadata'],
          ['0x4502ecd592b92da72e96eddbe14fb7d46b0afd599e09c18e1b82524336352e81', 'ERC6909TokenSupply'],
          ['0x006718b3e6fc22fc9142cf6e707a9a563ac8aa530dc352fa7601d298074266c3', 'ERC7913P256Verifier'],
          ['0xbc97fbb306b9c16941fd83c457f5121670fc51dc5ff1509d35360bc132c65a05', 'ERC7913RSAVerifier'],
          ['0x2310811b3f8b1049ba9904bfcad53eeb2637613e50f0d72dd3e99ae4d08633be', 'ERC7913WebAuthnVerifier'],
          ['0x280eb70c7115972d5a2d3b15d2fe3837d990af53ab40626c49e353b107f4fb39', 'ProxyAdmin'],
          ['0xaddadaf1e4f30adeef77a9e8db25d453349503d8ffbbb68dfd32c8cd7e4d6e98', 'TimelockController'],
          [
            '0x6f6b82d656bbb476a6fd620f75da2abe390e9ad2ba5f4916fa5d6be22c413cbf',
            'TransparentUpgradeableProxy',
          ],
          ['0x8864f062baa9c9bf338656029e469e2647c42bd973f34be5784cde2be0527b4d', 'UpgradeableBeacon'],
          ['0x728c2b4072ebd5caab8acca838c5212e60d3bf4fc91ee37da429c8f4fc87549c', 'VestingWallet'],
        ],
      ],
      [
        'OpenZeppelin Contracts 4.9.6',
        'npm @openzeppelin/contracts 4.9.6, build/contracts',
        [
          ['0x5d82f79d67b457f386fb0f6c8b786dd9ebb093d99e2819ccfa8b3261ab1c22e8', 'BeaconProxy'],
          ['0x7faeee3537fc8a00ea63f0ebb5734f0954cbbbb19ee2bfa24458d6a8ee122ea4', 'ERC1155'],
          ['0x2c13fb02f0f4ab34e908db94d4be4a1dbf4b3a47e86d46154bf4b073b764101f', 'ERC1155Holder'],
          ['0x58dbe006d6a03707f3210ac2370819e0a57dba52e23027f4149c9ad3caffd229', 'ERC1155PresetMinterPauser'],
          ['0x537a2fef7396cc7157cf4bcf3f33f948d88f615c5342d53e8600b59d862afcc0', 'ERC1967Proxy'],
          ['0x0ca3b43da9023099341c8551f3dabdf1fb23a6e6f05ffcd011da3a3eed106a66', 'ERC20'],
          ['0xac4b5b58f9e3652364c3c2f698dbd0aa15bf7e725e9454bf21ec95d3e10c0064', 'ERC20PresetFixedSupply'],
          ['0x9e1a9bc1471820bef67f6b673f39b158538d2dd0bc69c2a16e6b6ee3094f139d', 'ERC20PresetMinterPauser'],
          ['0xcc7b02492d5a9ddd44dd1eff91e3104b10984148ec791ac9460d955405fb5db3', 'ERC721'],
          ['0x31d924fc93adf1a58eefbbff5c3cd2ee25eda81f3be9a7e1008234541538656d', 'ERC721Holder'],
          [
            '0x0f439669a4b63bab5da5489e01aa1b0d960465d80f00e92d425d44e068142c39',
            'ERC721PresetMinterPauserAutoId',
          ],
          ['0x215ce0c792faad4068d40cde6ab50e56707661e7a24557d214f6b9c46cc06506', 'ERC777'],
          ['0x28697bce9052fc56190bf424b63a0de8c25eb6dd0490ab2bae0005db16dad5b8', 'ERC777PresetFixedSupply'],
          ['0x0a487fa97a5299af6bf39a132d9d74037a6b2a4d11667359f22779d9cc2dd696', 'Escrow'],
          ['0xc8ef43c2690205e9694ba6de03140a09e84a21b29dfdec15e728e7fdbe9e4462', 'MinimalForwarder'],
          ['0xd6500d88c9fce9809b6187d78ab020eab645e3cda32e864d201d7b862cc07043', 'PaymentSplitter'],
          ['0x59d9d37d79e204bdf7a6da4f55e493e1bc5aa8cc6e311faf2878654e6d3aad75', 'ProxyAdmin'],
          ['0xa5dff595ab83950a9932f6df0e690702e42ef6ce4881e6a153e259a3b4c3a2e7', 'RefundEscrow'],
          ['0x1c5fd112628f9b07bed00f9afd5101e5afc7d42ce1bfa1054fdfcbdb8556c129', 'TimelockController'],
          ['0x8b63a92ccbc9c2c1282fc518166bc56845e504cf185c0ee6dfd859e899972777', 'TokenTimelock'],
          [
            '0x2f7af5e41c2b2bac0036428932ca540ea6f8f8f73e8b816cf1ffcb3e49c24689',
            'TransparentUpgradeableProxy',
          ],
          ['0xd13e2d02a291110c460c053f5f41e818405b5e99646a3b2f1b350eaadd355831', 'UpgradeableBeacon'],
          ['0x95e02527f8f885a710092a4d59936412aa4863b44543d5c7ee2cf4e18d535b4e', 'VestingWallet'],
        ],
      ],
      [
        'Safe 1.4.1',
        'npm @safe-global/safe-contracts 1.4.1, build/artifacts',
        [
          ['0x42bcad4ba47371f1617f35873dab451ba5d9e96f681aaf345cab52a3303f91a8', 'Safe'],
          ['0x4a63286c19ca955a8e02f820ff792412c8cf0b1abfe280851b98354127608483', 'SafeL2'],
          ['0x590313ea990278b4993a0f906a0fa0ea730f46ddc8a67815b9821fe62dbd5247', 'SimulateTxAccessor'],
          ['0x8fc84f54eb7ad538e11d0f06c2b6ffb4b339282f35ebdeb4704776b2424a65a6', 'DebugTransactionGuard'],
          [
            '0x53482a288a0893764c89ed092099cab43db46608744a8e6d43dacd9849d15cb7',
            'DelegateCallTransactionGuard',
          ],
          ['0x82606a381bec20b213d54862c7dc16f105dc99979fc6f168b5211bb324fd2f5b', 'OnlyOwnersGuard'],
          [
            '0xcd026743a62fb663258a5cba891172027bd73e3f8469391385382dbc0615bdc5',
            'ReentrancyTransactionGuard',
          ],
          ['0xc51e73b55d1cf3230547f0218eaf759f4d0fb53d31a68062f67c87b822988fb7', 'Migration'],
          [
            '0x87bcce4dd57707fa236c779ca12d7eb82ee3a52a1c30411e8aff01dc7efad9c2',
            'CompatibilityFallbackHandler',
          ],
          ['0x78458e742e70168bbc9154afa442472234dc66df061fc1701fa5f38062ac4f90', 'TokenCallbackHandler'],
          ['0x22b474f5ee0a081a9ac4db425caefba6efeec2ac0abd0b440db5dbe5c751ae52', 'CreateCall'],
          ['0xb573ac46c757f6bf96c727e58e9aa3127f1465eea8ccc681cabd2d64a30a1c46', 'MultiSend'],
          ['0xb150af691493650980a4aa0afd3a47603d798c871196a94014ece657ba37335a', 'MultiSendCallOnly'],
          ['0x1b407e5d6c1a98bb45adefddf1786ea4bcbcd688823168e621f094324a04711c', 'SignMessageLib'],
          ['0x6c09eba56bf68f428a82057c3ebac691f0f73ff5258240f74b2dce0f5f853704', 'SafeProxyFactory'],
        ],
      ],
      [
        'Safe 1.5.0',
        'npm @safe-global/safe-smart-account 1.5.0, build/artifacts',
        [
          ['0xbb5289af6b54ece515b91a867f0b4035034bb0e88d8a9c2908f67fc51c289379', 'Safe'],
          ['0x7203851b462f7eecb040712cbae85d9ca0d7c52396c887d99c2a72270ea953b1', 'SafeL2'],
          ['0xc68337c0e257f5098fb008dc17161fba79360e8b101841e0f5530a236339ac31', 'DebugTransactionGuard'],
          [
            '0x98b550e0741853039ee5e726f59b0ae56e43698d62185413202798bb89c52f25',
            'DelegateCallTransactionGuard',
          ],
          ['0xb7a3c9ce1b74df55df79f1bab602825fd9c1940cfe81d820d876584704570958', 'OnlyOwnersGuard'],
          [
            '0xa27217d1cf3ba8082cbf1f04b9983b8b2f177510eeb3840466d8e332040e4c7c',
            'ReentrancyTransactionGuard',
          ],
          [
            '0xbda66df82fb5b286e043bc755ea9d13574db11599733d679501280f8e4803e62',
            'CompatibilityFallbackHandler',
          ],
          ['0x53cd3697154f70a98abd14682c005dc7c094707de4f7fa7e3442b19951fbe340', 'ExtensibleFallbackHandler'],
          ['0x86147c7be34065f1f503a7471dba5bdfcad679a4d4acf1c0f2ceb1d5b02f6e75', 'TokenCallbackHandler'],
          ['0xbe9af47660c93534352ec1a8c25bcd33cdd33e8e1c2768163791673e364f89eb', 'CreateCall'],
          ['0xe7b4a894b9cc3037391cc7e7f53b1b0e37b81216579c0afd9237496db161c6bb', 'MultiSend'],
          ['0xccf65113472040705603e307e96c73db94a28d21a155c76883eeb67e8f98ccd6', 'MultiSendCallOnly'],
          ['0x056e0099fed476e136665d45b4855a4803636968774d34f51955bf3cf94a98dd', 'SafeMigration'],
          ['0xb72ff47be8c9887e368255123e6b5bb97baccbfe0fc8d4096b922a16a7095441', 'SafeToL2Setup'],
          ['0x2c8dff842eb2c89fffc9b83e632daaa09ccb2e3cce109abcb55c127718a8869a', 'SafeProxyFactory'],
        ],
      ],
    ] as const
  ).flatMap(([maker, source, contracts]) =>
    contracts.map(([skeleton, name]) => [skeleton as string, { name: `${maker} ${name}`, source }] as const),
  ),
);
