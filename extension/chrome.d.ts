/** The part of the browser's extension interface that is used here. https://developer.chrome.com/docs/extensions/reference/api */
declare namespace chrome {
  interface ExtensionEvent<Listener> {
    addListener(listener: Listener): void;
  }
  interface MessageSender {
    readonly id?: string;
    /** Of the frame that sent it, as the browser knows it. */
    readonly origin?: string;
    readonly url?: string;
    readonly tab?: { readonly id?: number; readonly url?: string };
  }
  interface Port {
    readonly name: string;
    readonly sender?: MessageSender;
    readonly onMessage: ExtensionEvent<(message: unknown) => void>;
    readonly onDisconnect: ExtensionEvent<() => void>;
    postMessage(message: unknown): void;
    disconnect(): void;
  }
  namespace runtime {
    const id: string;
    function getURL(path: string): string;
    function sendMessage<Message, Answer>(message: Message): Promise<Answer>;
    function connect(info: { readonly name: string }): Port;
    const onMessage: ExtensionEvent<
      (message: unknown, sender: MessageSender, answer: (value: unknown) => void) => boolean | undefined
    >;
    const onConnect: ExtensionEvent<(port: Port) => void>;
    const onInstalled: ExtensionEvent<() => void>;
    const onStartup: ExtensionEvent<() => void>;
  }
  namespace storage {
    interface Area {
      get(key: string): Promise<Record<string, unknown>>;
      set(values: Record<string, unknown>): Promise<void>;
      setAccessLevel(level: { readonly accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>;
    }
    const local: Area;
    /** In memory, until the browser ends; no page and no content script reads it. */
    const session: Area;
  }
  namespace alarms {
    function create(
      name: string,
      info: { readonly periodInMinutes: number; readonly delayInMinutes?: number },
    ): Promise<void>;
    const onAlarm: ExtensionEvent<(alarm: { readonly name: string }) => void>;
  }
  namespace windows {
    function create(info: {
      readonly url: string;
      readonly type: 'popup';
      readonly width: number;
      readonly height: number;
      readonly focused: boolean;
    }): Promise<{ readonly id?: number } | undefined>;
  }
  namespace tabs {
    function create(info: { readonly url: string; readonly active: boolean }): Promise<unknown>;
  }
}
