'use strict';
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (parent, name, attributes, text = '') => {
    const element = parent.namespaceURI === document.documentElement.namespaceURI
      ? document.createElement(name) : document.createElementNS(parent.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return parent.appendChild(element);
  };

  // Boards. The sizes are those of svg/board.rs.
  const SQUARE = 36, MARGIN = 16;
  const corner = (board, file, rank) => board.dataset.bottom === 'w'
    ? [MARGIN + file * SQUARE, (7 - rank) * SQUARE] : [MARGIN + (7 - file) * SQUARE, rank * SQUARE];

  const drawPieces = (board, placement) => {
    const group = board.querySelector('.pieces');
    group.replaceChildren();
    placement.split('/').forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= '1' && letter <= '8') { file += +letter; continue; }
        const [x, y] = corner(board, file, 7 - index);
        make(group, 'use', { href: '#piece-' + letter, x: x + SQUARE / 2, y: y + SQUARE / 2 });
        file += 1;
      }
    });
  };

  const drawLastMove = (board, squares) => {
    const group = board.querySelector('.last');
    group.replaceChildren();
    for (const name of squares.match(/../g) || []) {
      const [x, y] = corner(board, name.charCodeAt(0) - 97, name.charCodeAt(1) - 49);
      make(group, 'rect', { x, y, width: SQUARE, height: SQUARE });
    }
  };

  // What a case gets when it is opened for the first time: the steps of its board, and a button that copies its FEN.
  const equip = card => {
    if (card.step) return;
    card.step = () => {};
    const fen = card.querySelector('.fen');
    if (fen) {
      const copy = make(fen.parentNode, 'button', { type: 'button' }, 'copy FEN');
      copy.addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(fen.textContent);
          copy.textContent = 'copied';
        } catch {
          getSelection().selectAllChildren(fen);
          copy.textContent = 'selected: press Ctrl+C';
        }
      });
    }
    const board = card.querySelector('svg[data-steps]');
    if (!board) return;
    const steps = board.dataset.steps.split(';').map(step => step.split(','));
    const own = +board.dataset.at;
    let at = own;
    const bar = make(board.parentNode, 'figcaption', { class: 'steps' });
    const back = make(bar, 'button', { type: 'button', 'aria-label': 'previous move' }, '←');
    const label = make(bar, 'span', { role: 'status' });
    const forth = make(bar, 'button', { type: 'button', 'aria-label': 'next move' }, '→');
    const show = () => {
      const [placement, squares, name] = steps[at];
      drawPieces(board, placement);
      drawLastMove(board, squares);
      board.querySelector('.arrows').style.display = at === own ? '' : 'none';
      label.textContent = at === own ? 'this position'
        : at < own ? (name ? 'history: ' + name : 'start of the history') : 'engine’s line: ' + name;
      back.disabled = at === 0;
      forth.disabled = at === steps.length - 1;
    };
    card.step = by => { at = Math.max(0, Math.min(steps.length - 1, at + by)); show(); };
    back.addEventListener('click', () => card.step(-1));
    forth.addEventListener('click', () => card.step(1));
    show();
  };

  let current = null;
  document.addEventListener('toggle', event => {
    const card = event.target;
    if (card.matches('.case') && card.open) { equip(card); current = card; }
  }, true);
  document.addEventListener('keydown', event => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input, select, .scroll')) return;
    const card = event.target.closest('.case[open]') || current;
    if (card && card.open && card.step) { card.step(by); event.preventDefault(); }
  });

  // A link to a case opens it.
  let showAll = () => {};
  const reveal = hash => {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!target) return;
    for (let outer = target; outer; outer = outer.parentElement) {
      if (outer.hidden) showAll();
      if (outer.matches('details')) outer.open = true;
    }
    target.scrollIntoView();
    const summary = target.matches('.case') && target.querySelector('summary');
    if (summary) summary.focus({ preventScroll: true });
  };
  addEventListener('hashchange', () => reveal(location.hash));
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) reveal(link.hash);
  });

  // The filter.
  const filter = document.getElementById('filter');
  if (filter) {
    filter.hidden = false;
    const cards = all('.suite-cases details.case');
    // Other groups, such as those of warnings, have no case.
    const groups = all('.suite-cases details.group');
    const opened = groups.map(group => group.open);
    const words = card => card.words ||= [...card.querySelectorAll('summary, dl')].map(part => part.textContent).join(' ').toLowerCase();
    const apply = () => {
      const { suite, text } = filter.elements;
      const sought = text.value.trim().toLowerCase();
      const states = all('input:checked', filter).map(box => box.value);
      const active = Boolean(suite.value || sought || states.length);
      let shown = 0;
      for (const card of cards) {
        card.hidden = active && !((!suite.value || card.closest('section').id === suite.value)
          && (!states.length || states.some(state => card.classList.contains(state)))
          && (!sought || words(card).includes(sought)));
        if (!card.hidden) shown += 1;
      }
      groups.forEach((group, index) => {
        group.hidden = !group.querySelector('.case:not([hidden])');
        group.open = active ? !group.hidden : opened[index];
      });
      for (const section of all('.suite-cases')) {
        section.hidden = active && !section.querySelector('.case:not([hidden])');
      }
      filter.querySelector('output').textContent = active ? `${shown} of ${cards.length} cases` : '';
    };
    filter.addEventListener('input', apply);
    filter.addEventListener('reset', () => setTimeout(apply));
    showAll = () => { filter.reset(); apply(); };
    filter.addEventListener('submit', event => event.preventDefault());
    apply();
  }
  if (location.hash) reveal(location.hash);
})();
