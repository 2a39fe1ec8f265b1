function movingAverage(values, width) {
  if (width < 1 || values.length < width) {
    return [];
  }
  const result = [];
  let sum = 0;
  for (let i = 0; i <= values.length; i++) {
    sum += values[i];
    if (i >= width) {
      sum -= values[i - width];
    }
    if (i >= width - 1) {
      result.push(sum / width);
    }
  }
  return result;
}

module.exports = { movingAverage };
