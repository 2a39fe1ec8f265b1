using Microsoft.AspNetCore.Mvc;
using Newtonsoft.Json;

namespace PrintShop.Queue;

public abstract record PrintJob(string Document, int Copies, object? Finish);

public record PosterJob(string Document, int Copies, object? Finish, string Paper)
    : PrintJob(Document, Copies, Finish);

public record BookletJob(string Document, int Copies, object? Finish, int Pages)
    : PrintJob(Document, Copies, Finish);

[ApiController]
[Route("jobs")]
public class JobsController(IJobQueue queue) : ControllerBase
{
    [HttpPost]
    [RequestSizeLimit(64 * 1024)]
    public async Task<IActionResult> Enqueue(CancellationToken stop)
    {
        using var reader = new StreamReader(Request.Body);
        var body = await reader.ReadToEndAsync(stop);
        var settings = new JsonSerializerSettings { MaxDepth = 8, TypeNameHandling = TypeNameHandling.Auto };
        if (JsonConvert.DeserializeObject<PrintJob>(body, settings) is not { Copies: > 0 } job)
        {
            return BadRequest();
        }
        await queue.AddAsync(job, stop);
        return Accepted();
    }
}
