using System.Security.Claims;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Choir.Api;

public class Singer
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public string Voice { get; set; } = "";
    public bool IsBoardMember { get; set; }
    public decimal FeesOwed { get; set; }
}

[Authorize(AuthenticationSchemes = "Bearer")]
[ApiController]
[Route("singers/me")]
public class SingerController(ChoirContext db) : ControllerBase
{
    [HttpPut]
    public async Task<IActionResult> Update([FromBody] Singer input, CancellationToken stop)
    {
        var id = int.Parse(User.FindFirstValue(ClaimTypes.NameIdentifier)!);
        var singer = await db.Singers.FindAsync([id], stop);
        if (singer is null)
        {
            return NotFound();
        }
        input.Id = id;
        db.Entry(singer).CurrentValues.SetValues(input);
        await db.SaveChangesAsync(stop);
        return NoContent();
    }
}
