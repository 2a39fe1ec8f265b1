$(function () {
  const $results = $('#results');

  function show(term, items) {
    $results.html('<h2>Results for ' + term + '</h2>');
    items.forEach((item) => {
      $('<li>').text(item.title).appendTo($results);
    });
  }

  const params = new URLSearchParams(window.location.search);
  const term = params.get('q') || '';
  $.getJSON('/api/search', { q: term }).done((items) => show(term, items));
});
