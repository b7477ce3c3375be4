// The page that the terminal's address opens: it takes the token out of the
// address, where no server and no log sees it, keeps it for the pages of this
// server, and goes on to the site. Only a token that the server knows is kept, so
// that a link from elsewhere cannot take the right one away.
'use strict';

async function enter() {
  const state = document.getElementById('state');
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  const answer = await fetch('/_gpudocs/actions', { headers: { 'Gpudocs-Token': token } });
  if (!answer.ok) {
    state.textContent = state.dataset.wrong;
    return;
  }
  localStorage.setItem('gpudocs-run', token);
  location.replace('/');
}

addEventListener('hashchange', enter); // pasted where another one has stood
enter();
