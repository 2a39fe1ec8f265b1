using System.Threading;

public class Pair
{
    private readonly object _left = new();
    private readonly object _right = new();
    private int _total;

    public void Add(int amount)
    {
        lock (_left)
        {
            lock (_right)
            {
                _total += amount;
            }
        }
    }

    public int Drain()
    {
        lock (_right)
        {
            lock (_left)
            {
                var total = _total;
                _total = 0;
                return total;
            }
        }
    }
}
