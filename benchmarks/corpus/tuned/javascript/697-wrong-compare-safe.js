function createInventory() {
  const items = [];

  function remove(sku) {
    const index = items.findIndex((item) => item.sku === sku);
    if (index !== -1) {
      items.splice(index, 1);
      return true;
    }
    return false;
  }

  function has(sku) {
    return items.some((item) => item.sku === sku);
  }

  return { remove, has, add: (item) => items.push(item) };
}

module.exports = createInventory;
