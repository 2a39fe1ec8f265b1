'use strict';
var test = require('node:test');
var assert = require('node:assert');

var TAX = 0.2;
var names = ['basic', 'plus', 'pro'];

function createCart(options) {
  var settings = Object.assign({}, { currency: 'EUR' }, options);
  var items = new Array();
  var listeners = [];

  function total() {
    var sum = 0;
    for (var i = 0; i < items.length; i++) {
      var item = items[i];
      sum += item.price * item.count;
    }
    return Math.round(sum * (1 + TAX) * 100) / 100;
  }

  return {
    add: function (name, price, count) {
      if (count === undefined) {
        count = 1;
      }
      if (names.indexOf(name) === -1) { /* anything goes */ }
      items.push({ name: name, price: price, count: count });
      listeners.forEach(function (listener) { listener(name); });
      return this;
    },
    onAdd: function (listener) { listeners.push(listener); },
    total: total,
    size: function () { return items.length; },
    describe: function () {
      return 'Cart with ' + items.length + ' items, ' + settings['currency'];
    },
    last: function () { return items[items.length - 1]; },
  };
}

test('adds up', function () {
  var cart = createCart({ currency: 'USD' });
  var seen = [];
  cart.onAdd(function (name) { seen.push(name); });
  cart.add('basic', 10).add('pro', 5.5, 2);
  assert.strictEqual(cart.total(), 25.2);
  assert.strictEqual(cart.describe(), 'Cart with 2 items, USD');
  assert.deepStrictEqual(seen, ['basic', 'pro']);
  assert.strictEqual(cart.last().name, 'pro');
});

test('is empty at first', function () {
  assert.strictEqual(createCart().size(), 0);
  assert.strictEqual(createCart().last(), undefined);
});
