using System.Collections.Generic;
using System.Threading.Tasks;
using System.Threading;

public class Visits
{
    private int _total;

    public async Task<int> CountAsync(IEnumerable<string> pages)
    {
        var tasks = new List<Task>();
        foreach (var page in pages)
        {
            tasks.Add(Task.Run(() =>
            {
                if (page.EndsWith(".html"))
                {
                    Interlocked.Increment(ref _total);
                }
            }));
        }
        await Task.WhenAll(tasks);
        return _total;
    }
}
