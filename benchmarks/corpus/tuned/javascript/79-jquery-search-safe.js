$(function () {
  const $results = $('#results');

  function show(term, items) {
    $results.empty().append($('<h2>').text('Results for ' + term));
    items.forEach((item) => {
      $('<li>').text(item.title).appendTo($results);
    });
  }

  const params = new URLSearchParams(window.location.search);
  const term = params.get('q') || '';
  $.getJSON('/api/search', { q: term }).done((items) => show(term, items));
});
