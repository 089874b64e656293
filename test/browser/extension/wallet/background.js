// Passes what it is asked on to the signer of the test, which signs and sends for real.
chrome.runtime.onMessage.addListener((asked, sender, answer) => {
  const { origin } = sender;
  fetch('http://127.0.0.1:SIGNER_PORT/', { method: 'POST', body: JSON.stringify({ ...asked, origin }) })
    .then((response) => response.json())
    .then(answer, (error) => answer({ error: { code: -32603, message: String(error) } }));
  return true;
});
