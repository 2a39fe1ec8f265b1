const TOAST_LIFETIME = 4000;

function readFragment() {
  const raw = window.location.hash.slice(1);
  return new URLSearchParams(raw);
}

function showToast(text, kind) {
  const box = document.createElement('div');
  box.classList.add('toast', kind === 'warning' ? 'toast-warning' : 'toast-info');
  box.innerHTML = '<span class="dot"></span> ';
  box.append(text);
  document.querySelector('#toasts').append(box);
  setTimeout(() => box.remove(), TOAST_LIFETIME);
}

window.addEventListener('DOMContentLoaded', () => {
  const fragment = readFragment();
  if (fragment.has('notice')) {
    showToast(fragment.get('notice'), fragment.get('kind'));
  }
});
