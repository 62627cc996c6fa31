// A WebSocket that comes back by itself, and hands on what arrives.

const FIRST_WAIT = 400; // ms
const LONGEST_WAIT = 5000;
const REFUSED = 1008; // the server's word is final

/** Connects with an address below the link, until `close`. */
export function connect(path, { onText, onPicture, onState }) {
  let socket = null;
  let closed = false;
  let wait = FIRST_WAIT;

  function open() {
    const address = new URL(path, document.baseURI.split("#")[0]);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      wait = FIRST_WAIT;
      onState("");
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") onText(JSON.parse(data));
      else onPicture(new Uint8Array(data));
    };
    socket.onclose = (event) => {
      if (closed) return;
      if (event.code === REFUSED) {
        if (event.reason) onState(event.reason);
        return;
      }
      onState(event.reason || "Not connected: waiting for the studio");
      setTimeout(() => closed || open(), wait);
      wait = Math.min(LONGEST_WAIT, wait * 2);
    };
  }

  open();
  return {
    send(command, fields = {}) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: command, ...fields }));
    },
    close() {
      closed = true;
      socket.close();
    },
  };
}
